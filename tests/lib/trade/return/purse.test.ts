import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  cashWorth,
  coinsWithin,
  type ForeignCash,
  join,
  lowerOf,
  type Purse,
  payOwn,
  purseOf,
  splitPurse,
  withoutCoins,
  withPurse,
} from '#lib/trade/return/purse.ts';
import { newDebtOf, newSaleOf, RATES } from '#tests/support/sales.ts';

const cents = fc.integer({ min: 0, max: 10_000_000 });

/** Foreign cash as it came: an amount, at an odd rate. */
const someCash = fc
  .record({ amount: fc.integer({ min: 1, max: 100_000 }), rate: fc.integer({ min: 1, max: 3_000_000 }) })
  .map(({ amount, rate }): ForeignCash => {
    const left = Number((BigInt(amount) * BigInt(rate)) / 137n);
    return { currency: 'usd', amount, gone: 0, left, rates: [rate, 137] };
  });

const somePurse = fc
  .record({
    own: cents,
    bank: fc.option(cents),
    cash: fc.array(someCash, { maxLength: 1 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ share, ...purse }): Purse => ({ ...purse, deposit: Math.floor(purse.own * share) }));

function worthIn({ own, bank, cash }: Purse): number {
  return cash.reduce((sum, { left }) => sum + left, own + (bank ?? 0));
}

function coinsIn({ cash }: Purse): number {
  return cash.reduce((sum, { amount, gone }) => sum + amount - gone, 0);
}

test('however money is split off, as much is in both as was in one, in worth and in coins', () => {
  fc.assert(
    fc.property(somePurse, fc.double({ min: 0, max: 1, noNaN: true }), (purse, share) => {
      const money = Math.floor(worthIn(purse) * share);
      const [off, left] = splitPurse(purse, money);
      expect([worthIn(off), worthIn(left)]).toEqual([money, worthIn(purse) - money]);
      expect(coinsIn(off) + coinsIn(left)).toBe(coinsIn(purse));
      for (const each of [off, left]) {
        const sums = [each.own, each.bank ?? 0, ...each.cash.map((cash) => cash.left), coinsIn(each)];
        expect(Math.min(...sums)).toBeGreaterThanOrEqual(0);
      }
      expect([off.bank, off.bank === 0 || off.bank === null || worthIn(off) > 0]).toEqual([
        purse.bank === null ? null : Math.min(purse.bank, money),
        true,
      ]);
      // The deposit goes before plain money.
      expect([off.deposit, left.deposit]).toEqual([
        Math.min(off.own, purse.deposit),
        purse.deposit - off.deposit,
      ]);
      const whole = join(left, off);
      expect([worthIn(whole), coinsIn(whole), whole.deposit]).toEqual([
        worthIn(purse),
        coinsIn(purse),
        purse.deposit,
      ]);
    }),
  );
});

test('where no money is split off no coin goes, though one by itself is worth nothing', () => {
  const sums = { currency: 'uzs', amount: 1000, gone: 0, left: 7, rates: [100, 12_650] } as const;
  const purse: Purse = { own: 5, bank: null, cash: [{ ...sums, rates: [...sums.rates] }], deposit: 0 };
  expect(splitPurse(purse, 0)[1]).toEqual(purse);
});

test('foreign cash that goes back in parts counts for what it came for, once all is back', () => {
  fc.assert(
    fc.property(someCash, fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (came, shares) => {
      let left = came;
      let counted = 0;
      for (const share of [...shares, 1]) {
        const coins = Math.ceil((left.amount - left.gone) * share);
        counted += cashWorth(left, coins);
        left = withoutCoins(left, coins);
      }
      expect([counted, left.left]).toEqual([came.left, 0]);
    }),
  );
});

test('whole hundredths within a sum are as many as fit', () => {
  fc.assert(
    fc.property(someCash, cents, (cash, max) => {
      const coins = coinsWithin(cash, max);
      expect(cashWorth(cash, coins)).toBeLessThanOrEqual(Math.min(max, cash.left));
      if (coins < cash.amount)
        expect(cashWorth(cash, coins + 2)).toBeGreaterThan(Math.min(max, cash.left) - 1);
    }),
  );
});

const dollars: ForeignCash = {
  currency: 'usd',
  amount: 200,
  gone: 0,
  left: 2_500_000,
  rates: [1_250_000, 100],
};

test('a payment in the sale’s own currency takes the plain money first, and then stands for foreign cash', () => {
  const left = payOwn({ own: 500_000, bank: null, cash: [dollars], deposit: 0 }, 1_500_000);
  expect(left).toMatchObject({ own: 0, cash: [{ amount: 200, gone: 0, left: 1_500_000 }] });
  expect(coinsWithin({ ...dollars, left: 1_500_000 }, 9_999_999)).toBe(120);
});

test('the lower of both rates counts, half up; below a hundredth, and without a rate of today, its value', () => {
  const at = (usd: number, sum: number) => lowerOf(dollars, sum, { ...RATES, usd }, 'uzs');
  expect([at(1_000_000, 1_000_000), at(1_000_000, 12_503)]).toEqual([800_000, 10_002]);
  expect([at(1_300_000, 1_000_000), at(1_000_000, 12_499), at(0, 1_000_000)]).toEqual([
    1_000_000, 12_499, 1_000_000,
  ]);
});

test('nothing is stored of a sale with plain money alone', () => {
  const sale = newSaleOf({ received_amount: 500 });
  expect(purseOf(sale, undefined)).toEqual({ own: 500, bank: null, cash: [], deposit: 0 });
  expect(withPurse(sale, purseOf(sale, undefined), undefined)).toBe(sale);
});

test('money of a debt that was repaid from the deposit counts as such, and is stored with the debt alone (Part 5, 5A.6, 3)', () => {
  const sale = newSaleOf({ received_amount: 500 });
  const debt = newDebtOf({ repaid_amount: 300, repaid_by_deposit: 200 });
  const purse = purseOf(sale, debt);
  expect(purse).toEqual({ own: 800, bank: null, cash: [], deposit: 200 });
  expect(withPurse(sale, purse, debt)).toBe(sale);
  const after = withPurse(sale, { ...purse, deposit: 50 }, debt);
  expect(purseOf(after, debt).deposit).toBe(50);
  expect(purseOf(withPurse(after, { ...purse, deposit: 200 }, debt), debt).deposit).toBe(200);
});
