import { afterAll, beforeAll, beforeEach, describe, expect, vi } from 'vitest';
import { type GatewaySimulator, startGateway } from '#bin/local/gateway/simulator.ts';
import { maker } from '#bin/local/maker.ts';
import { readBooks } from '#bin/verify/family.ts';
import { charge } from '#lib/billing/charge.ts';
import { endPayment } from '#lib/billing/payment/end.ts';
import { payByQr } from '#lib/billing/payment/start.ts';
import { findTariff } from '#lib/billing/record.ts';
import { deposit, setTerms } from '#lib/billing/tariff.ts';
import { startOfDay } from '#lib/values/time.ts';
import { testDisrupted } from '#tests/kit/disrupted.ts';
import { directorAs, newCompany } from '#tests/kit/family.ts';
import { behindProxy } from '#tests/kit/faults.ts';
import { type AnswerWrites, nothing } from '#tests/kit/remember.ts';

const proxy = await behindProxy();

let gateway: GatewaySimulator;

beforeAll(async () => {
  gateway = await startGateway(() => 'http://127.0.0.1:1');
});

afterAll(() => Promise.all([proxy.stop(), gateway.stop()]));

beforeEach(() => void vi.stubEnv('GATEWAY_URL', gateway.address));

const AT = startOfDay('2026-03-01');
const LATER = startOfDay('2026-05-01');
const PRICE = 10_000;
const PAID = 700;

const terms = {
  prices: { main: PRICE, branch: 0 },
  billing_period: 'monthly',
  trial_ends_at: null,
  grace_days: 5,
} as const;

/** Makes a family whose first month is charged. */
async function subscriber(): Promise<number> {
  const id = await newCompany(null, AT);
  await setTerms(maker, id, terms, AT);
  return id;
}

function pay(id: number, remember: AnswerWrites = nothing) {
  const input = { amount: PAID, provider: 'provider_a' } as const;
  return payByQr(directorAs(1, id), input, AT, remember);
}

interface Operation {
  readonly prepare: () => Promise<Scene>;
  readonly run: (scene: Scene, remember: AnswerWrites) => Promise<unknown>;
  /** The balance after it. */
  readonly left: number;
}

/** Does something as a worker or a reader does, who have no key: if it fails, they come again. */
function untilDone(work: () => Promise<unknown>): Promise<unknown> {
  return work().catch(work);
}

/** All that changes a balance or a payment. */
const operations: Readonly<Record<string, Operation>> = {
  'a deposit': {
    prepare: async () => ({ id: await subscriber(), payment: '' }),
    run: ({ id }, remember) => deposit(maker, { company: id, amount: PAID, comment: null }, AT, remember),
    left: PAID - PRICE,
  },
  // What is due is charged by whoever comes next.
  'charging two months': {
    prepare: async () => ({ id: await subscriber(), payment: '' }),
    run: ({ id }) => untilDone(() => charge(id, LATER)),
    left: -3 * PRICE,
  },
  'a payment that begins': {
    prepare: async () => ({ id: await subscriber(), payment: '' }),
    run: ({ id }, remember) => pay(id, remember),
    left: -PRICE,
  },
  'a payment that is credited': {
    prepare: async () => {
      const id = await subscriber();
      return { id, payment: (await pay(id)).external_id };
    },
    run: ({ payment: external_id }) =>
      untilDone(() => endPayment({ external_id, amount: PAID, status: 'paid', at: AT })),
    left: PAID - PRICE,
  },
};

interface Scene {
  readonly id: number;
  readonly payment: string;
}

describe.each(Object.entries(operations))('%s', (_, { prepare, run, left }) => {
  const check = async ({ id }: Scene) => {
    expect((await findTariff(id))?.balance).toBe(left);
    expect((await readBooks(id)).violations).toEqual([]);
  };

  testDisrupted(proxy, 2, async () => ({ prepare, run, check }));
});
