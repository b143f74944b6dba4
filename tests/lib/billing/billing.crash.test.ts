import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type GatewaySimulator, startGateway } from '#bin/local/gateway/simulator.ts';
import { maker } from '#bin/local/maker.ts';
import { readBooks } from '#bin/verify/family.ts';
import { charge } from '#lib/billing/charge.ts';
import { endPayment } from '#lib/billing/payment/end.ts';
import { payByQr } from '#lib/billing/payment/start.ts';
import { findTariff } from '#lib/billing/record.ts';
import { deposit, setTerms } from '#lib/billing/tariff.ts';
import { dayOf, type Instant, startOfDay } from '#lib/values/time.ts';
import { testDisrupted } from '#tests/support/disrupted.ts';
import { directorAs, newCompany } from '#tests/support/family.ts';
import { type AnswerWrites, nothing } from '#tests/support/save-response.ts';
import { behindProxy } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

let gateway: GatewaySimulator;

beforeAll(async () => {
  gateway = await startGateway(() => 'http://127.0.0.1:1');
});

afterAll(() => Promise.all([proxy.stop(), gateway.stop()]));

beforeEach(() => void vi.stubEnv('GATEWAY_URL', gateway.address));

const AT = startOfDay('2026-03-01');
const PRICE = 10_000;
const PAID = 700;

const terms = {
  prices: { main: PRICE, branch: 0 },
  billing_period: 'monthly',
  trial_ends_at: null,
  grace_days: 5,
} as const;

/** Creates a family whose first month is charged. */
async function subscriber(): Promise<number> {
  const id = await newCompany(null, AT);
  await setTerms(maker, id, terms, AT);
  return id;
}

function pay(id: number, saveResponse: AnswerWrites = nothing) {
  const input = { amount: PAID, provider: 'provider_a' } as const;
  return payByQr(directorAs(1, id), input, AT, saveResponse);
}

interface Operation {
  /** Prepares a scene in a family that has been through it `times` times. */
  readonly prepare: (id: number, times: number) => Promise<Scene>;
  readonly run: (scene: Scene, saveResponse: AnswerWrites) => Promise<unknown>;
  /** Change of the balance. */
  readonly change: number;
  readonly isKeyless?: true;
}

/** Runs work as a worker or a reader does, without a key: a failure is retried. */
function untilDone(work: () => Promise<unknown>): Promise<unknown> {
  return work().catch(work);
}

/** Operations that change a balance or a payment. */
const operations: Readonly<Record<string, Operation>> = {
  'a deposit': {
    prepare: async (id) => ({ id, payment: '', at: AT }),
    run: ({ id }, saveResponse) =>
      deposit(maker, { company: id, amount: PAID, comment: null }, AT, saveResponse),
    change: PAID,
  },
  // The next caller charges all due periods.
  'charging two months': {
    prepare: async (id, times) => ({ id, payment: '', at: startOfMonth(2 + 2 * (times + 1)) }),
    run: ({ id, at }) => untilDone(() => charge(id, at)),
    change: -2 * PRICE,
    isKeyless: true,
  },
  'a payment that begins': {
    prepare: async (id) => ({ id, payment: '', at: AT }),
    run: ({ id }, saveResponse) => pay(id, saveResponse),
    change: 0,
  },
  'a payment that is credited': {
    prepare: async (id) => ({ id, payment: (await pay(id)).external_id, at: AT }),
    run: ({ payment: external_id }) =>
      untilDone(() => endPayment({ external_id, amount: PAID, status: 'paid', at: AT })),
    change: PAID,
    isKeyless: true,
  },
};

interface Scene {
  readonly id: number;
  readonly payment: string;
  readonly at: Instant;
}

/** Returns the start of a month, counted from the January of the families' first year. */
function startOfMonth(month: number): Instant {
  return startOfDay(dayOf(Date.UTC(2026, month, 1, 12)));
}

describe.each(Object.entries(operations))('%s', (_, { prepare, run, change, isKeyless = false }) => {
  const families: number[] = [];

  testDisrupted(proxy, 2, async () => {
    const id = await subscriber();
    families.push(id);
    let done = 0;
    return {
      prepare: () => prepare(id, done),
      run,
      isKeyless,
      check: async (__: Scene, times: number) => {
        done = times;
        expect((await findTariff(id))?.balance).toBe(times * change - PRICE);
      },
    };
  });

  test('leaves books that are right, whatever was killed or lost', async () => {
    expect(families).toHaveLength(4);
    for (const id of families) expect((await readBooks(id)).violations).toEqual([]);
  });
});
