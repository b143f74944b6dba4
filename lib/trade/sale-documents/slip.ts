import { printMoney, printQuantity } from '#lib/printing/numbers.ts';
import type { Entry, Slip, SlipLine } from '#lib/printing/slip.ts';
import type { FiscalReceipt } from '#lib/trade/sale/input.ts';
import { amountPaidBy } from '#lib/trade/sale/payments.ts';
import { amountInWords } from '#lib/values/amount-in-words.ts';
import { type LabelKey, translateLabel } from '#lib/values/labels/label.ts';
import type { MinorUnits } from '#lib/values/money.ts';
import type { Units } from '#lib/values/quantity.ts';
import type { Locale } from '#lib/values/text.ts';
import { renderInstant } from '#lib/values/time.ts';
import type { SaleDocument } from './invoice.ts';
import { balanceLines, headOf, requisitesOf } from './invoice-parts.ts';
import type { NamedLine } from './lines.ts';
import { fiscalReceiptLines, linesOfPayments, linesOfVat } from './payment-lines.ts';

/** Returns the slip of a sale, as it is handed to the customer. Part 5, 5B.8. */
export function saleSlip(document: SaleDocument, locale: Locale): Slip {
  const { invoice, sale } = document;
  const word = (key: LabelKey) => translateLabel(locale, { key, with: { currency: currencyOf(document) } });
  // The deposit that a payment has taken from stands beside the payments.
  const deposit = amountPaidBy(['deposit'], sale) > 0 ? 0 : (sale.client_before?.deposit ?? 0);
  const left = [
    { label: word('slip.bonuses'), amount: invoice.balance.after },
    { label: word('form.deposit_left'), amount: deposit },
    { label: word('slip.debt'), amount: invoice.debt.after },
  ].filter(({ amount }) => sale.client_id !== null && amount !== 0);
  return {
    ...commonPart(document, locale),
    title: translateLabel(locale, {
      key: 'form.cheque',
      with: { code: sale.code, date: renderInstant(sale.sold_at) },
    }),
    head: requisitesOf(invoice.company, locale),
    blocks: [paymentBlock(document, locale), { title: null, entries: left.map(entryOf) }],
    remarks: fiscalRemarks(sale.fiscal, locale),
    signatures: [],
  };
}

/** Returns the slip of a sale's invoice, with the parts enabled in the company's settings. Part 5, 5B.8. */
export function invoiceSlip(document: SaleDocument, locale: Locale): Slip {
  const { invoice, sale } = document;
  const word = (key: LabelKey, values = {}) => translateLabel(locale, { key, with: values });
  const words = amountInWords(sale.sold_amount, sale.currency, locale);
  return {
    ...commonPart(document, locale),
    title: word('form.invoice', { code: sale.code }),
    head: headOf(invoice, locale),
    blocks: [
      paymentBlock(document, locale),
      { title: null, entries: balanceLines(invoice, currencyOf(document), locale).map(entryOf) },
    ],
    remarks: [word('form.in_words', { words }), ...fiscalRemarks(sale.fiscal, locale)],
    signatures: [word('form.released'), word('form.received')],
  };
}

function commonPart(document: SaleDocument, locale: Locale) {
  const { invoice, sale, lines, desk } = document;
  const fact = (key: LabelKey, value: string | undefined) =>
    value === undefined ? [] : [{ label: translateLabel(locale, { key }), value }];
  return {
    facts: [
      ...fact('slip.date', renderInstant(sale.sold_at)),
      ...fact('slip.desk', desk),
      ...fact('slip.cashier', invoice.cashier.full_name),
      ...fact('slip.client', invoice.client?.full_name),
    ],
    lines: lines.map((line) => slipLineOf(line, locale)),
    totals: totalsOf(document, locale),
    qr: sale.fiscal?.qr_url ?? null,
  };
}

function slipLineOf(line: NamedLine, locale: Locale): SlipLine {
  const { name, quantity, discount, amount } = line;
  const details = [priceDetail(line, quantity, locale), ...discountDetail(discount, locale)];
  return { name, details, amount: printMoney(amount) };
}

/** Returns the detail of a line with its discount; none without one. */
export function discountDetail(discount: MinorUnits, locale: Locale): string[] {
  if (discount <= 0) return [];
  return [translateLabel(locale, { key: 'slip.line_discount', with: { amount: printMoney(discount) } })];
}

/** Returns the detail of a line with a quantity of its unit, and the price of one. */
export function priceDetail(
  { unit, price }: Pick<NamedLine, 'unit' | 'price'>,
  quantity: Units,
  locale: Locale,
): string {
  const values = { quantity: printQuantity(quantity), unit: unit?.[locale] ?? '', price: printMoney(price) };
  return translateLabel(locale, { key: 'slip.line', with: values });
}

function totalsOf(document: SaleDocument, locale: Locale): Entry[] {
  const { discount_amount, sold_amount } = document.sale;
  const currency = currencyOf(document);
  const word = (key: LabelKey) => translateLabel(locale, { key, with: { currency } });
  return [
    ...(discount_amount > 0 ? [{ label: word('slip.discount'), amount: discount_amount }] : []),
    { label: word('slip.total'), amount: sold_amount },
    ...linesOfVat(document.invoice.vat, locale),
  ].map(entryOf);
}

function paymentBlock({ sale }: SaleDocument, locale: Locale): Slip['blocks'][number] {
  const title = translateLabel(locale, { key: 'slip.payments' });
  return { title, entries: linesOfPayments(sale, locale).map(entryOf) };
}

/** Returns the lines of a fiscal receipt beside its QR code: terminal, number and sign. */
export function fiscalRemarks(fiscal: FiscalReceipt | null | undefined, locale: Locale): string[] {
  if (!fiscal) return [];
  const { terminal_id, receipt_number, fiscalized_at } = fiscal;
  const receipt = { terminal_id, receipt_number, date: renderInstant(fiscalized_at) };
  return [
    translateLabel(locale, { key: 'slip.fiscal_receipt', with: receipt }),
    ...fiscalReceiptLines({ fiscal }, locale),
  ];
}

/** Returns an entry of a sum; empty without an amount. */
export function entryOf({
  label,
  amount,
}: {
  readonly label: string;
  readonly amount: number | null;
}): Entry {
  return { label, value: amount === null ? '' : printMoney(amount) };
}

function currencyOf({ sale }: SaleDocument): string {
  return sale.currency.toUpperCase();
}
