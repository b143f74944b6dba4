import type { PrintedForm } from '#lib/files/printed-form.ts';
import { amountPaidBy } from '#lib/trade/sale/payments.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import { type LabelKey, translateLabel } from '#lib/values/labels/label.ts';
import type { MinorUnits } from '#lib/values/money.ts';
import type { Locale } from '#lib/values/text.ts';
import type { VatTotal } from '#lib/values/vat.ts';

/**
 * Returns a sale's payments for a printed form: cash in another currency with both of its amounts, cash as
 * handed over, and the change; the remainder of the client's deposit, if it took any. Part 4, 4.6, 1; Part
 * 5, 5B.6; Part 5, 5A.6, 5.
 */
export function linesOfPayments(sale: Sale, locale: Locale): PrintedForm['summary'] {
  const word = (key: LabelKey, values = {}) => translateLabel(locale, { key, with: values });
  const own = sale.currency.toUpperCase();
  const { transactions, change_amount = 0 } = sale;
  const changeOf = (amount: MinorUnits) =>
    amount > 0 ? [{ label: word('form.change', { currency: own }), amount }] : [];
  const lines = transactions.flatMap((payment) => {
    const { payment_type, amount, currency, counted_amount, tendered_amount, cash_change } = payment;
    const kind = word(`payment_type.${payment_type}`);
    const from = currency.toUpperCase();
    const paid = { label: word('form.paid_by', { kind, currency: from }), amount };
    if (tendered_amount) {
      const tendered = { label: word('form.tendered', { currency: own }), amount: tendered_amount };
      return [paid, tendered, ...changeOf(cash_change ?? 0)];
    }
    if (from === own) return [paid];
    const counted = word('form.counted_as', { kind, from, currency: own });
    return [paid, { label: counted, amount: counted_amount }];
  });
  const deposit = depositLeft(sale, word('form.deposit_left', { currency: own }));
  return [...lines, ...changeOf(change_amount), ...deposit];
}

/** Returns the remainder of the client's deposit after a sale; none if the sale took nothing of it. */
function depositLeft(sale: Sale, label: string): PrintedForm['summary'] {
  const spent = amountPaidBy(['deposit'], sale);
  return spent > 0 ? [{ label, amount: (sale.client_before?.deposit ?? 0) - spent }] : [];
}

/** Returns the VAT within the amounts of a printed form, by rate. Part 5, 5A.2, 4. */
export function linesOfVat(totals: readonly VatTotal[], locale: Locale): PrintedForm['summary'] {
  return totals.flatMap(({ vat_percent, vat_amount }) => {
    if (vat_percent === null) return [];
    const label = translateLabel(locale, { key: 'form.vat', with: { percent: vat_percent / 100 } });
    return [{ label, amount: vat_amount }];
  });
}

/** Checks whether a sale has a payment in another currency. */
export function hasForeign({ transactions, currency }: Sale): boolean {
  return transactions.some((paid) => paid.currency !== currency);
}

/**
 * Checks whether a sale has payments to be printed with its lines: in another currency, cash as handed over,
 * or the client's deposit.
 */
export function hasNotablePayments(sale: Sale): boolean {
  const isNotable = ({ tendered_amount, payment_type }: Sale['transactions'][number]) =>
    tendered_amount || payment_type === 'deposit';
  return hasForeign(sale) || sale.transactions.some(isNotable);
}

/** Returns the fiscal sign of a sale, printed above a form's table; empty if it has none. Part 4, 4.6, 4. */
export function fiscalReceiptLines({ fiscal }: Pick<Sale, 'fiscal'>, locale: Locale): string[] {
  return fiscal?.sign
    ? [translateLabel(locale, { key: 'form.fiscal_sign', with: { sign: fiscal.sign } })]
    : [];
}
