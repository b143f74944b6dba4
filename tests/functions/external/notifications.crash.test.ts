import { expect, test, vi } from 'vitest';
import { readBooks } from '#bin/verify/family.ts';
import { paymentKey } from '#lib/billing/payment/record.ts';
import { payByQr } from '#lib/billing/payment/start.ts';
import type { Key } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';
import { newSubscriber, notify, tariffOf, untilStatus } from '#tests/support/billing.ts';
import { directorAs } from '#tests/support/family.ts';
import { MAX_WAIT_MS } from '#tests/support/patience.ts';

const FAMILIES = 10;
const PAYMENTS = 20;
const TELLINGS = 5;

/** Pending payment: its key, its payer and its external id. */
interface Paid {
  readonly key: Key;
  readonly director: string;
  readonly external_id: string;
  readonly amount: number;
}

/** Puts a list in a random order. */
function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((each) => ({ each, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ each }) => each);
}

test('200 payments, each notified five times and shuffled, are credited once each (Contract 9.56)', async () => {
  const families = await mapConcurrent(Array.from({ length: FAMILIES }), 5, () => newSubscriber());
  const payments = await mapConcurrent(families, 5, async ({ companyId, directorId, director }) => {
    const actor = directorAs(directorId, companyId);
    const own: Paid[] = [];
    for (let amount = 1; amount <= PAYMENTS; amount++) {
      const input = { amount: amount * 100, provider: 'provider_b' } as const;
      const { external_id } = await payByQr(actor, input, Date.now(), () => []);
      own.push({ key: paymentKey(companyId, external_id), director, external_id, amount });
    }
    return own;
  });
  const tellings = shuffled(payments.flat().flatMap((each) => Array.from({ length: TELLINGS }, () => each)));
  const replies = await mapConcurrent(tellings, 20, ({ external_id, amount }) =>
    notify({ external_id, amount }),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));

  // Polling each over HTTP would starve the workers.
  const keys = payments.flat().map(({ key }) => key);
  await vi.waitFor(
    async () => {
      const left = (await getItems(keys)).filter((item) => item?.['status'] !== 'paid');
      expect(left).toEqual([]);
    },
    { timeout: MAX_WAIT_MS, interval: 250 },
  );
  await mapConcurrent(payments.flat(), 10, ({ director, external_id }) =>
    untilStatus(director, external_id, 'paid'),
  );
  const sum = (PAYMENTS * (PAYMENTS + 1)) / 2;
  for (const { companyId, director } of families) {
    expect(await tariffOf(director)).toMatchObject({ balance: sum - 100_000 });
    expect((await readBooks(companyId)).violations).toEqual([]);
  }
});
