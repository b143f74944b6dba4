import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { portionsOf, type Tender } from '#lib/trade/debt-payment/portions.ts';
import { totalAmount } from '#lib/values/money.ts';

const cents = fc.integer({ min: 1, max: 1000 });

const tenders = fc
  .subarray(['cash', 'card', 'bank'] as const, { minLength: 1 })
  .chain((ways) =>
    fc.tuple(
      ...ways.map((payment_type) => fc.record({ payment_type: fc.constant(payment_type), amount: cents })),
    ),
  );

test('portions are in the order of debts, then of payments, and make up both (Contract 9.52)', () => {
  fc.assert(
    fc.property(
      fc.array(cents, { minLength: 1, maxLength: 12 }),
      tenders,
      (owed, money: readonly Tender[]) => {
        const debts = owed.map((remaining_amount, index) => ({
          id: index + 1,
          company_id: 1,
          remaining_amount,
        }));
        const max = owed.reduce((sum, each) => sum + each, 0);
        fc.pre(totalAmount(money) <= max);
        const portions = portionsOf(debts, money);
        for (const [index, { amount }] of money.entries()) {
          expect(totalAmount(portions.filter((each) => each.index === index))).toBe(amount);
        }
        const paid = debts.map((debt) => totalAmount(portions.filter((each) => each.debt === debt)));
        const open = debts.findIndex(({ remaining_amount }, index) => (paid[index] ?? 0) < remaining_amount);
        expect(paid.slice(open + 1).every((amount) => open < 0 || amount === 0)).toBe(true);
        const places = portions.map(({ debt, index }) => [debt.id, index]);
        expect(places).toEqual(places.toSorted(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d));
        expect(portions.every(({ amount }) => amount > 0)).toBe(true);
        expect(portions.length).toBeLessThan(debts.length + money.length);
      },
    ),
  );
});
