import * as z from 'zod';
import { type Cents, Currency, PaymentType } from '#lib/values/money.ts';

/** A kind of money in a desk: cash in sums, dollars on cards. */
export interface MoneyKind {
  readonly payment_type: PaymentType;
  readonly currency: Currency;
}

/** All kinds of money. */
export const MONEY_KINDS: readonly MoneyKind[] = PaymentType.options.flatMap((payment_type) =>
  Currency.options.map((currency) => ({ payment_type, currency })),
);

/** Names the attribute of a kind of money. */
export function nameOf({ payment_type, currency }: MoneyKind): `${PaymentType}_${Currency}` {
  return `${payment_type}_${currency}`;
}

/** Sums by kind of money, in 1/100, without those that are zero: a desk keeps them in its one small item. */
export const KindSums = z.partialRecord(z.enum(MONEY_KINDS.map(nameOf)), z.int());

export type KindSums = Readonly<z.output<typeof KindSums>>;

/** Adds to the sum of a kind; one that comes to zero goes. */
export function addToKind(sums: KindSums, kind: MoneyKind, change: Cents): KindSums {
  const { [nameOf(kind)]: before = 0, ...others } = sums;
  const after = before + change;
  return after === 0 ? others : { ...others, [nameOf(kind)]: after };
}

/** Requires that a list has each kind of money once. 422 on the path of each that comes again. */
export function eachKindOnce<T extends MoneyKind, S extends z.ZodType<T[]>>(list: S) {
  return list.superRefine((rows, context) => {
    const seen = new Set<string>();
    for (const [index, row] of rows.entries()) {
      const name = nameOf(row);
      if (seen.has(name)) {
        context.addIssue({ code: 'custom', message: 'validation.duplicate', path: [index, 'payment_type'] });
      }
      seen.add(name);
    }
  });
}
