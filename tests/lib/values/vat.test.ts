import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shareOf, sumByVat, totalVat, vatReturned, vatWithin } from '#lib/values/vat.ts';

const amount = fc.integer({ min: 0, max: 99_999_999_999_999 });
const percent = fc.option(fc.integer({ min: 0, max: 100_00 }));

test('VAT is within the amount: what is left bears it at the rate, to half of 1/100 (Part 5, 5A.2 (2))', () => {
  fc.assert(
    fc.property(amount, fc.integer({ min: 0, max: 100_00 }), (whole, rate) => {
      const vat = vatWithin(whole, rate);
      const off = 2n * (BigInt(vat) * BigInt(100_00 + rate) - BigInt(whole) * BigInt(rate));
      expect(off > -BigInt(100_00 + rate) && off <= BigInt(100_00 + rate)).toBe(true);
      expect(vatWithin(whole, null)).toBe(0);
    }),
  );
});

test('sums by rate add up to the amounts and the VAT of all lines, each rate once, null first (Part 5, 5A.2 (4))', () => {
  const line = fc.record({ amount, vat_percent: percent, vat_amount: amount });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
      const sums = sumByVat(lines);
      const rates = sums.map(({ vat_percent }) => vat_percent);
      expect(rates).toEqual([...new Set(rates)].toSorted((a, b) => (a ?? -1) - (b ?? -1)));
      expect(totalVat(sums)).toBe(totalVat(lines));
      const total = (rows: readonly { readonly amount: number }[]) =>
        rows.reduce((sum, row) => sum + BigInt(row.amount), 0n);
      if (total(lines) <= BigInt(Number.MAX_SAFE_INTEGER)) expect(total(sums)).toBe(total(lines));
    }),
  );
});

test('however a line comes back, its parts of VAT are never below zero and add up to its VAT (Part 5, 5A.2 (3))', () => {
  const parts = fc.array(fc.integer({ min: 1, max: 1_000_000_000 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(amount, fc.integer({ min: 0, max: 100_00 }), parts, (vat_amount, vat_percent, quantities) => {
      const whole = quantities.reduce((sum, each) => sum + each, 0);
      let [before, taken] = [0, 0];
      for (const quantity of quantities) {
        const { vat_amount: part = 0 } = vatReturned(
          { vat_percent, vat_amount },
          { before, quantity, whole },
        );
        expect(part).toBeGreaterThanOrEqual(0);
        [before, taken] = [before + quantity, taken + part];
        expect(taken).toBe(shareOf(vat_amount, before, whole));
      }
      expect(taken).toBe(vat_amount);
    }),
  );
});
