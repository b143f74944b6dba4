import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { layOut, type PrintedColumn, type PrintedForm } from '#lib/files/printed.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import { amountInWords } from '#lib/values/in-words.ts';
import { label } from '#lib/values/labels/label.ts';
import type { LabelKey } from '#lib/values/labels/ru.ts';
import { type Currency, totalAmount } from '#lib/values/money.ts';
import type { Locale } from '#lib/values/text.ts';
import { type Invoice, invoiceOf } from './invoice.ts';

/** The query string of an invoice. */
export const InvoiceQuery = z.strictObject({ format: z.enum(['excel']).optional() });

type Labelled = readonly (readonly [isShown: boolean, key: LabelKey, value: string | null | undefined])[];

const FIGURES = ['before', 'added', 'written_off', 'after'] as const;

/** Gives the invoice of a cheque, or its sheet to print. 404 as for the cheque. Part 2, "Sales". */
export async function giveInvoice(
  actor: Staff,
  id: number,
  { format }: z.output<typeof InvoiceQuery>,
  locale: Locale,
) {
  const { invoice, sale } = await invoiceOf(actor, id, locale);
  return format ? sheetOf(invoice, sale.transactions, locale) : invoice;
}

/** Lays an invoice out on A4, ready for the printer; it tells what the company's settings let it. */
function sheetOf(invoice: Invoice, payments: Sale['transactions'], locale: Locale) {
  const { sale, settings, company, client, cashier, creator, rows } = invoice;
  const word = (key: LabelKey, values = {}) => label(locale, { key, with: values });
  const currency = sale.currency.toUpperCase();
  const { header } = settings;
  const isOnce = onceIn(sale.currency);
  const words = amountInWords(totalAmount(rows), sale.currency, locale);
  const date = header.date ? ` ${sale.date} ${sale.time}` : '';
  const title = `${word('form.invoice', { code: sale.code })}${date}`;
  const head: Labelled = [
    [header.store_name, 'form.store', company.name],
    [header.legal_name, 'form.legal_name', company.legal_name],
    [header.tin, 'form.tin', company.tin],
    [header.address, 'form.address', company.address],
    [header.contacts, 'form.contacts', company.phone],
    [header.working_hours, 'form.working_hours', settings.working_hours],
    [header.seller, 'form.seller', creator.full_name],
    [header.cashier, 'form.cashier', cashier.full_name],
    [header.client, 'form.client', client?.full_name],
    [header.client_phone, 'form.client_phone', client?.phone],
  ];
  return layOut({
    filename: `${word('form.invoice', { code: sale.code })}.xlsx`.replace('#', ''),
    title,
    head: head.flatMap(([isShown, key, value]) => (isShown && value ? [word(key, { value })] : [])),
    columns: columnsOf(currency, locale).filter(isOnce),
    rows: rows.map((row) =>
      [
        row.position,
        row.category,
        row.name,
        row.quantity,
        row.price,
        row.amount,
        row.amount_uzs,
        row.amount_usd,
      ].filter(isOnce),
    ),
    totals: totalsOf(invoice, locale).map((row) => row.filter(isOnce)),
    summary: [
      ...payments.map(({ payment_type, amount }) => ({
        label: word('form.paid_by', { kind: word(`payment_type.${payment_type}`), currency }),
        amount,
      })),
      ...(client ? summaryOf(invoice, currency, locale) : []),
    ],
    remarks: [word('form.in_words', { words })],
    signatures: [word('form.released'), word('form.received')],
  });
}

/** Leaves out the column that would repeat the amounts of a sale in its own currency. */
function onceIn(currency: Currency): (cell: unknown, index: number) => boolean {
  const repeated = { uzs: 6, usd: 7, eur: undefined, rub: undefined }[currency];
  return (_, index) => index !== repeated;
}

function columnsOf(currency: string, locale: Locale): PrintedColumn[] {
  const column = (key: LabelKey, kind: PrintedColumn['kind'], width: number, values = {}) => ({
    heading: label(locale, { key, with: values }),
    kind,
    width,
  });
  return [
    column('form.position', 'number', 5),
    column('form.category', 'text', 18),
    column('form.product', 'text', 34),
    column('form.quantity', 'quantity', 13),
    column('form.price', 'money', 14),
    column('column.amount_in', 'money', 16, { currency }),
    column('form.equal_to', 'money', 16, { currency: 'UZS' }),
    column('form.equal_to', 'money', 13, { currency: 'USD' }),
  ];
}

/** Sums up the columns, with the earlier debt too if the settings let the invoice tell of it. */
function totalsOf({ sale, settings, client, rows, totals }: Invoice, locale: Locale): PrintedForm['totals'] {
  const { current, previous_debt, total } = totals;
  const word = (key: LabelKey) => label(locale, { key });
  const amount = totalAmount(rows);
  const sums = [null, null, word('form.total'), totals.quantity, null, amount, current.uzs, current.usd];
  if (!client || !settings.debt.enabled || !settings.debt.before) return [sums];
  const withDebt = (key: LabelKey, { uzs, usd }: typeof total) => [
    null,
    null,
    word(key),
    null,
    null,
    { uzs, usd, eur: null, rub: null }[sale.currency],
    uzs,
    usd,
  ];
  return [sums, withDebt('form.previous_debt', previous_debt), withDebt('form.grand_total', total)];
}

/** Lists the client's bonuses and debt, as far as the settings let the invoice tell of them. */
function summaryOf(
  { settings, balance, debt }: Invoice,
  currency: string,
  locale: Locale,
): PrintedForm['summary'] {
  const figures = { balance, debt };
  return (['balance', 'debt'] as const).flatMap((what) => {
    const shown = FIGURES.filter((figure) => settings[what].enabled && settings[what][figure]);
    return shown.map((figure) => ({
      label: label(locale, { key: `form.${what}.${figure}`, with: { currency } }),
      amount: figures[what][figure],
    }));
  });
}
