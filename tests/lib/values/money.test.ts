import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allocateByWeight } from '#lib/values/allocation.ts';
import { amount, convertAmount, LargeAmount, Money } from '#lib/values/money.ts';
import { amountOf, LargeQuantity, ONE, Quantity, quantity } from '#lib/values/quantity.ts';

const cents = fc.integer({ min: 0, max: 99_999_999_999_999 });

describe('amounts are held exactly', () => {
  test('an amount that goes out and comes back is the same', () => {
    fc.assert(fc.property(cents, (held) => amount(0).parse(Money.decode(held)) === held));
  });

  test('a sum past 2^53 is the nearest number, and a smaller one what an amount is', () => {
    expect(LargeAmount.decode(9_100_000_000_000_050n)).toBe(91_000_000_000_000.5);
    expect(LargeAmount.decode(6_000_000_049_999_940_000_001n)).toBe(6.00000004999994e19);
    expect(LargeQuantity.decode(20_000_000_050_000_001n)).toBe(200_000_000.5);
    fc.assert(fc.property(cents, (held) => LargeAmount.decode(BigInt(held)) === Money.decode(held)));
    fc.assert(fc.property(cents, (held) => LargeQuantity.decode(BigInt(held)) === Quantity.decode(held)));
  });

  test('a whole amount is an integer', () => {
    expect(JSON.stringify(Money.decode(1_500_000))).toBe('15000');
  });

  test('three decimals are refused', () => {
    expect(amount(0).safeParse(0.125).error?.issues[0]?.message).toBe('validation.too_many_decimals');
  });

  test('0.01 is the least price, and 999999999999.99 the largest', () => {
    expect(amount(0.01).safeParse(0).success).toBe(false);
    expect(amount(0.01).parse(999_999_999_999.99)).toBe(99_999_999_999_999);
    expect(amount(0.01).safeParse(1_000_000_000_000).success).toBe(false);
  });
});

describe('quantities are held exactly', () => {
  test('a quantity that goes out and comes back is the same', () => {
    const units = fc.integer({ min: 1, max: 10_000_000 * ONE });
    fc.assert(fc.property(units, (held) => quantity(8).parse(Quantity.decode(held)) === held));
  });

  test('the ninth decimal is refused, and the fifth if four are allowed', () => {
    expect(quantity(8).safeParse(0.123456789).error?.issues[0]?.message).toBe('validation.too_many_decimals');
    expect(quantity(4).safeParse(0.00015).error?.issues[0]?.message).toBe('validation.too_many_decimals');
  });
});

test('a line amount is price × quantity, rounded half up', () => {
  expect(amountOf(10_01, ONE / 2)).toBe(5_01);
  expect(amountOf(10_01, ONE / 4)).toBe(2_50);
  expect(amountOf(99_999_999_999_999, 90_000)).toBe(90_000_000_000);
});

test('an amount of another currency is converted by both rates, rounded half up', () => {
  expect(convertAmount(1_00, 12_650_50, 1_00)).toBe(12_650_50);
  expect(convertAmount(12_650_50, 1_00, 12_650_50)).toBe(1_00);
});

test('an amount of a currency without a rate has no amount in another currency, and never throws', () => {
  const rate = fc.constantFrom(0, 0, 1, 100, 12_650_50);
  fc.assert(
    fc.property(cents, rate, rate, (held, from, to) => {
      expect(convertAmount(held, from, to) === undefined).toBe(from === 0 || to === 0);
    }),
  );
});

test('a sum shared by largest remainder adds up to the last 1/100', () => {
  fc.assert(
    fc.property(
      cents,
      fc.array(fc.integer({ min: 1, max: 1e12 }), { minLength: 1, maxLength: 100 }),
      (sum, weights) => {
        const parts = allocateByWeight(sum, weights);
        expect(parts.reduce((total, part) => total + BigInt(part), 0n)).toBe(BigInt(sum));
      },
    ),
  );
  expect(allocateByWeight(1_00, [1, 1, 1])).toEqual([34, 33, 33]);
});
