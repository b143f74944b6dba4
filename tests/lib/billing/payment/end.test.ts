import { expect, test } from 'vitest';
import { endPayment } from '#lib/billing/payment/end.ts';
import { findTariff } from '#lib/billing/record.ts';
import { newSubscriber, startByCard } from '#tests/support/billing.ts';

const AT = Date.now();

test.each([
  ['its own', 'credited'],
  ['another', 'other transaction'],
])('a payment told under %s transaction is credited once, and the log says %s', async (whose, outcome) => {
  const { director, companyId } = await newSubscriber();
  const { external_id, transaction_id } = await startByCard(director, 1000);
  const name = whose === 'its own' ? transaction_id : 'tx-of-somebody';
  const ended = { external_id, transaction_id: name, amount: 100_000, status: 'paid', at: AT } as const;
  expect(await endPayment(ended)).toBe(outcome);
  expect(await endPayment(ended)).toBe('repeated');
  expect((await findTariff(companyId))?.balance).toBe(-10_000_000 + 100_000);
});
