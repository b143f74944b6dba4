import { Money } from '#lib/values/money.ts';

/** VAT of a line: absent without a rate, and in lines that predate it. Part 5, 5A.2, 2. */
export const vatFields = { vat_percent: Money.nullable().default(null), vat_amount: Money.default(0) };
