import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { type PrintedColumn, type PrintedForm, renderPrintedForm } from '#lib/files/printed-form.ts';
import { Paper, renderSlip } from '#lib/printing/slip.ts';
import { getDocument } from '#lib/records/documents.ts';
import { sales } from '#lib/trade/sale/record.ts';
import { type LabelKey, translateLabel } from '#lib/values/labels/label.ts';
import type { Locale } from '#lib/values/text.ts';
import { renderInstant } from '#lib/values/time.ts';
import { sumByVat } from '#lib/values/vat.ts';
import { readSaleDocument } from './invoice.ts';
import { type NamedLine, readNamedLines } from './lines.ts';
import { fiscalReceiptLines, hasNotablePayments, linesOfPayments, linesOfVat } from './payment-lines.ts';
import { saleSlip } from './slip.ts';

type Cell = (line: NamedLine, position: number, locale: Locale) => PrintedForm['rows'][number][number];

const COLUMNS: readonly (readonly [LabelKey, PrintedColumn['kind'], number, Cell])[] = [
  ['form.position', 'number', 5, (_, position) => position],
  ['form.barcode', 'text', 16, ({ barcode }) => barcode],
  ['form.product', 'text', 36, ({ name }) => name],
  ['form.unit', 'text', 10, ({ unit }, _, locale) => unit?.[locale] ?? null],
  ['form.quantity', 'quantity', 13, ({ quantity }) => quantity],
  ['form.price', 'money', 14, ({ price }) => price],
  ['form.discount', 'money', 14, ({ discount }) => discount],
  ['form.amount', 'money', 16, ({ amount }) => amount],
];

/** Query string of a sale's print. */
export const PrintQuery = z.strictObject({ format: z.enum(['html']).optional(), paper: Paper.default('80') });

/**
 * Lays out the lines of a sale, in the order added, as a sheet, or the sale as a page to print. 404 as for
 * the sale. Part 2, "Sales"; Part 5, 5B.8.
 */
export async function printSale(
  actor: Staff,
  id: number,
  { format, paper }: z.output<typeof PrintQuery>,
  locale: Locale,
) {
  if (!format) return printLines(actor, id, locale);
  return renderSlip(saleSlip(await readSaleDocument(actor, id, locale), locale), paper, locale);
}

async function printLines(actor: Staff, id: number, locale: Locale) {
  const sale = await getDocument(sales, actor, id);
  const lines = await readNamedLines(actor.tenant, sale);
  const about = { code: sale.code, date: renderInstant(sale.created_at) };
  const currency = sale.currency.toUpperCase();
  const title = translateLabel(locale, { key: 'form.cheque', with: about });
  const quantity = lines.reduce((sum, each) => sum + BigInt(each.quantity), 0n);
  const discount = lines.reduce((sum, each) => sum + each.discount, 0);
  const word = translateLabel(locale, { key: 'form.total' });
  const total = [null, null, word, null, quantity, null, discount, sale.sold_amount];
  return renderPrintedForm({
    filename: `${title}.xlsx`.replaceAll(/[#:]/g, ''),
    title,
    head: [
      translateLabel(locale, { key: 'form.currency', with: { currency } }),
      ...fiscalReceiptLines(sale, locale),
    ],
    columns: COLUMNS.map(([key, kind, width]) => ({ heading: translateLabel(locale, { key }), kind, width })),
    rows: lines.map((line, index) => COLUMNS.map(([, , , cell]) => cell(line, index + 1, locale))),
    totals: [total],
    summary: [
      ...linesOfVat(sumByVat(lines), locale),
      ...(hasNotablePayments(sale) ? linesOfPayments(sale, locale) : []),
    ],
    remarks: [],
    signatures: [],
  });
}
