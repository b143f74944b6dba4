import * as z from 'zod';
import { type MinorUnits, Money, roundHalfUp } from './money.ts';
import type { Units } from './quantity.ts';

/** A hundred percent, in hundredths. */
const WHOLE = 100_00;

/**
 * VAT of a line as stored: its rate in hundredths of a percent, and the part of its amount. Lines without a
 * rate, and those that predate it, store none. Part 5, 5A.2, 2.
 */
export interface Vat {
  readonly vat_percent?: MinorUnits | null | undefined;
  readonly vat_amount?: MinorUnits | undefined;
}

/** Fields of a line with its VAT: absent without a rate, and in lines that predate it. Part 5, 5A.2, 2. */
export const vatFields = { vat_percent: Money.nullable().default(null), vat_amount: Money.default(0) };

/** Line with its VAT. */
export interface TaxedLine extends Vat {
  readonly amount: MinorUnits;
}

/** Sums of the lines of one rate. */
export const VatTotal = z.object({ vat_percent: Money.nullable(), amount: Money, vat_amount: Money });

export type VatTotal = z.input<typeof VatTotal>;

/** Without names: a document's header of over a kilobyte costs every change of it twice as much. */
export const VatTuple = z.tuple([z.int().nullable(), z.int(), z.int()]);

export type VatTuple = z.infer<typeof VatTuple>;

/** Such sums as documents store them. */
export const StoredVatTotal = z.codec(VatTuple, VatTotal, { decode: vatTotalOf, encode: vatTupleOf });

/** Names the parts of stored sums. */
export function vatTotalOf([vat_percent, amount, vat_amount]: VatTuple): VatTotal {
  return { vat_percent, amount, vat_amount };
}

/** Returns sums as they are stored. */
export function vatTupleOf({ vat_percent, amount, vat_amount }: VatTotal): VatTuple {
  return [vat_percent, amount, vat_amount];
}

/** Computes the VAT within an amount, rounded half up; 0 without a rate. */
export function vatWithin(amount: MinorUnits, percent: MinorUnits | null): MinorUnits {
  if (percent === null) return 0;
  return Number(roundHalfUp(BigInt(amount) * BigInt(percent), BigInt(WHOLE + percent)));
}

/** Returns a line with the VAT of its amount; without a rate there is none to store. */
export function withVat<L extends { readonly amount: MinorUnits }>(
  line: L,
  percent: MinorUnits | null,
): L & Vat {
  if (percent === null) return line;
  return { ...line, vat_percent: percent, vat_amount: vatWithin(line.amount, percent) };
}

/** Sums lines by rate, lines without one first, then the lowest rate. Part 5, 5A.2, 4. */
export function sumByVat(lines: readonly TaxedLine[]): VatTotal[] {
  const sums = new Map<MinorUnits | null, { amount: number; vat_amount: number }>();
  for (const { amount, vat_percent = null, vat_amount = 0 } of lines) {
    const before = sums.get(vat_percent) ?? { amount: 0, vat_amount: 0 };
    const after = { amount: before.amount + amount, vat_amount: before.vat_amount + vat_amount };
    sums.set(vat_percent, after);
  }
  return [...sums]
    .sort(([one], [other]) => (one ?? -1) - (other ?? -1))
    .map(([vat_percent, sum]) => ({ vat_percent, ...sum }));
}

/** Sums the VAT of lines. */
export function totalVat(lines: readonly Vat[]): MinorUnits {
  return lines.reduce((sum, { vat_amount = 0 }) => sum + vat_amount, 0);
}

/**
 * Computes the share of a line's sum in proportion to a quantity of it, rounded half up. A return takes the
 * share of all returned quantities, less that of the former ones, so that all shares add up to the sum.
 * Contract 8; Part 5, 5A.2, 3.
 */
export function shareOf(sum: MinorUnits, quantity: Units, whole: Units): MinorUnits {
  return Number(roundHalfUp(BigInt(sum) * BigInt(quantity), BigInt(whole)));
}

/** Returns the VAT of a quantity returned after another; without a rate there is none to store. */
export function vatReturned(
  { vat_percent = null, vat_amount = 0 }: Vat,
  { before, quantity, whole }: { readonly before: Units; readonly quantity: Units; readonly whole: Units },
): Vat {
  if (vat_percent === null) return {};
  const after = shareOf(vat_amount, before + quantity, whole);
  return { vat_percent, vat_amount: after - shareOf(vat_amount, before, whole) };
}
