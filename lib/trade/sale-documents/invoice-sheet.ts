import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { type PrintedColumn, type PrintedForm, renderPrintedForm } from '#lib/files/printed-form.ts';
import { Paper, renderSlip } from '#lib/printing/slip.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import { amountInWords } from '#lib/values/amount-in-words.ts';
import { type LabelKey, translateLabel } from '#lib/values/labels/label.ts';
import { totalAmount } from '#lib/values/money.ts';
import type { Locale } from '#lib/values/text.ts';
import { type Invoice, readSaleDocument } from './invoice.ts';
import { balanceLines, headOf } from './invoice-parts.ts';
import { fiscalReceiptLines, linesOfPayments, linesOfVat } from './payment-lines.ts';
import { invoiceSlip } from './slip.ts';

/** Query string of an invoice. */
export const InvoiceQuery = z.strictObject({
  format: z.enum(['excel', 'html']).optional(),
  paper: Paper.default('80'),
});

type Field = Exclude<keyof Invoice['rows'][number], 'vat_percent' | 'vat_amount'>;

/** Cells of a row, by the fields of its columns; a column without one is empty. */
type Cells = Readonly<Partial<Record<Field, PrintedForm['rows'][number][number]>>>;

interface Column extends Omit<PrintedColumn, 'heading'> {
  readonly field: Field;
  readonly key: LabelKey;
  /** Currency in its heading, if different from the sale's. */
  readonly of?: string;
}

const COLUMNS: readonly Column[] = [
  { field: 'position', key: 'form.position', kind: 'number', width: 5 },
  { field: 'category', key: 'form.category', kind: 'text', width: 18 },
  { field: 'name', key: 'form.product', kind: 'text', width: 34 },
  { field: 'quantity', key: 'form.quantity', kind: 'quantity', width: 13 },
  { field: 'price', key: 'form.price', kind: 'money', width: 14 },
  { field: 'amount', key: 'column.amount_in', kind: 'money', width: 16 },
  { field: 'amount_uzs', key: 'form.equal_to', kind: 'money', width: 16, of: 'UZS' },
  { field: 'amount_usd', key: 'form.equal_to', kind: 'money', width: 13, of: 'USD' },
];

/**
 * Returns the invoice of a sale, its printable sheet, or its page to print. 404 as for the sale. Part 2,
 * "Sales"; Part 5, 5B.8.
 */
export async function giveInvoice(
  actor: Staff,
  id: number,
  { format, paper }: z.output<typeof InvoiceQuery>,
  locale: Locale,
) {
  const document = await readSaleDocument(actor, id, locale);
  const { invoice, sale } = document;
  if (format === 'excel') return sheetOf(invoice, sale, locale);
  return format === 'html' ? renderSlip(invoiceSlip(document, locale), paper, locale) : invoice;
}

/** Lays out an invoice on A4, ready for printing, with the parts enabled in the company's settings. */
function sheetOf(invoice: Invoice, source: Sale, locale: Locale) {
  const { sale, settings, rows } = invoice;
  const word = (key: LabelKey, values = {}) => translateLabel(locale, { key, with: values });
  const currency = sale.currency.toUpperCase();
  const name = word('form.invoice', { code: sale.code });
  const words = amountInWords(totalAmount(rows), sale.currency, locale);
  // The column of the sale's own currency would repeat its amounts.
  const columns = COLUMNS.filter(({ field }) => field !== `amount_${sale.currency}`);
  const cellsOf = (row: Cells) => columns.map(({ field }) => row[field] ?? null);
  return renderPrintedForm({
    filename: `${name}.xlsx`.replace('#', ''),
    title: settings.header.date ? `${name} ${sale.date} ${sale.time}` : name,
    head: [...headOf(invoice, locale), ...fiscalReceiptLines(source, locale)],
    columns: columns.map(({ key, of = currency, kind, width }) => ({
      heading: word(key, { currency: of }),
      kind,
      width,
    })),
    rows: rows.map(cellsOf),
    totals: totalsOf(invoice, locale).map(cellsOf),
    summary: [
      ...linesOfVat(invoice.vat, locale),
      ...linesOfPayments(source, locale),
      ...balanceLines(invoice, currency, locale),
    ],
    remarks: [word('form.in_words', { words })],
    signatures: [word('form.released'), word('form.received')],
  });
}

/** Computes the totals of the columns, including the earlier debt if the settings enable it. */
function totalsOf({ sale, settings, client, rows, totals }: Invoice, locale: Locale): Cells[] {
  const cells = (key: LabelKey, { uzs, usd }: typeof totals.total) => ({
    name: translateLabel(locale, { key }),
    amount: { uzs, usd, eur: null, rub: null }[sale.currency],
    amount_uzs: uzs,
    amount_usd: usd,
  });
  const { quantity, current, previous_debt, total } = totals;
  const sums = { ...cells('form.total', current), quantity, amount: totalAmount(rows) };
  if (!client || !settings.debt.enabled || !settings.debt.before) return [sums];
  return [sums, cells('form.previous_debt', previous_debt), cells('form.grand_total', total)];
}
