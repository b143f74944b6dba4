import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { remainderOf, type StoredDebt } from '#lib/clients/debt/record.ts';
import { InvoiceSettings } from '#lib/people/company/invoice-settings.ts';
import { getDocument } from '#lib/records/documents.ts';
import { amountPaidBy } from '#lib/trade/sale/payments.ts';
import { type Sale, sales } from '#lib/trade/sale/record.ts';
import { Currency, exactlyConverted, LargeAmount, type MinorUnits, Money } from '#lib/values/money.ts';
import { LargeQuantity, Quantity } from '#lib/values/quantity.ts';
import type { Locale } from '#lib/values/text.ts';
import { renderInstant, Timestamp } from '#lib/values/time.ts';
import { sumByVat, totalVat, VatTotal, vatFields } from '#lib/values/vat.ts';
import { type NamedLine, readNamedLines } from './lines.ts';
import { readInvoiceParties } from './parties.ts';

/** Amount in both currencies of an invoice; null in one without a rate at the time of the sale. */
const InBoth = z.object({ uzs: LargeAmount.nullable(), usd: LargeAmount.nullable() });

/** Balance of a client before a sale, additions and deductions, and balance after. */
const Figures = z.object({ before: Money, added: Money, written_off: Money, after: Money });

/** Line of an invoice. */
const Row = z.object({
  position: z.int(),
  category: z.string().nullable(),
  name: z.string(),
  quantity: Quantity,
  price: Money,
  amount: Money,
  amount_uzs: InBoth.shape.uzs,
  amount_usd: InBoth.shape.usd,
  ...vatFields,
});

/** Contents of a sale's waybill. Part 2, "Sales". */
export const Invoice = z.object({
  sale: z.object({
    id: z.int(),
    code: z.string(),
    currency: Currency,
    created_at: Timestamp,
    date: z.string(),
    time: z.string(),
  }),
  settings: InvoiceSettings,
  company: z.object({
    name: z.string(),
    legal_name: z.string().nullable(),
    tin: z.string().nullable(),
    address: z.string().nullable(),
    phone: z.string().nullable(),
  }),
  client: z.object({ id: z.int(), full_name: z.string(), phone: z.string() }).nullable(),
  cashier: z.object({ full_name: z.string(), is_director: z.boolean() }),
  creator: z.object({ full_name: z.string() }),
  rows: z.array(Row),
  /** VAT within the amounts of the rows, also by rate. Part 5, 5A.2, 4. */
  vat_amount: Money,
  vat: z.array(VatTotal),
  totals: z.object({ quantity: LargeQuantity, current: InBoth, previous_debt: InBoth, total: InBoth }),
  balance: Figures,
  debt: Figures,
});

export type Invoice = z.input<typeof Invoice>;

type InBoth = z.input<typeof InBoth>;
type Row = z.input<typeof Row>;

/** Contents of a sale's documents. */
export interface SaleDocument {
  readonly invoice: Invoice;
  readonly sale: Sale;
  readonly lines: readonly NamedLine[];
  /** Name of its desk. */
  readonly desk: string;
}

/**
 * Reads a sale with its lines, and builds its invoice. 404 as for the sale. Contract 9.29; Contract 9.70.
 */
export async function readSaleDocument(actor: Staff, id: number, locale: Locale): Promise<SaleDocument> {
  const { tenant } = actor;
  const sale = await getDocument(sales, actor, id);
  const [lines, { debt: own, owed, deposit: _, desk, ...parties }] = await Promise.all([
    readNamedLines(tenant, sale),
    readInvoiceParties(tenant, sale),
  ]);
  const { code, currency, created_at } = sale;
  const [date = '', time = ''] = renderInstant(created_at).split(' ');
  const rows = lines.map((line, index) => rowOf(line, index + 1, sale, locale));
  const debt = debtOf(sale, own, owed);
  const invoice: Invoice = {
    sale: { id, code, currency, created_at, date, time },
    ...parties,
    rows,
    vat_amount: totalVat(lines),
    vat: sumByVat(lines),
    totals: totalsOf(rows, inBoth(debt.before, sale)),
    balance: bonusesOf(sale),
    debt,
  };
  return { invoice, sale, lines, desk };
}

function rowOf(line: NamedLine, position: number, sale: Sale, locale: Locale): Row {
  const { name, quantity, price, amount, vat_percent, vat_amount } = line;
  const { uzs: amount_uzs, usd: amount_usd } = inBoth(amount, sale);
  const category = line.category?.[locale] ?? null;
  const vat = { vat_percent, vat_amount };
  return { position, category, name, quantity, price, amount, amount_uzs, amount_usd, ...vat };
}

function totalsOf(rows: readonly Row[], previous_debt: InBoth): Invoice['totals'] {
  const quantity = rows.reduce((sum, row) => sum + BigInt(row.quantity), 0n);
  const current = sumOf(rows.map(({ amount_uzs, amount_usd }) => ({ uzs: amount_uzs, usd: amount_usd })));
  return { quantity, current, previous_debt, total: sumOf([current, previous_debt]) };
}

/** Returns a client's bonuses before the sale, those earned by it and those spent on it. */
function bonusesOf({ client_before, bonus_earned: added, ...paid }: Sale): Invoice['balance'] {
  const before = client_before?.bonus ?? 0;
  const written_off = amountPaidBy(['bonus'], paid);
  return { before, added, written_off, after: before + added - written_off };
}

/**
 * Computes a client's present debt, the part added by the sale, the part of that repaid or returned since,
 * and the debt without the sale. Contract 9.119.
 */
function debtOf(
  sale: Sale,
  debt: z.input<typeof StoredDebt> | undefined,
  after: MinorUnits,
): Invoice['debt'] {
  const added = amountPaidBy(['debt'], sale);
  const written_off = debt ? debt.amount - remainderOf(debt) : 0;
  return { before: after - added + written_off, added, written_off, after };
}

/** Converts an amount of the sale's currency by the rates at its time. */
function inBoth(amount: MinorUnits, { currency, rates }: Sale): InBoth {
  const into = (to: 'uzs' | 'usd') => exactlyConverted(amount, rates[currency], rates[to]) ?? null;
  return { uzs: into('uzs'), usd: into('usd') };
}

function sumOf(amounts: readonly InBoth[]): InBoth {
  const add = (a: bigint | null, b: bigint | null) => (a === null || b === null ? null : a + b);
  return amounts.reduce((sum, { uzs, usd }) => ({ uzs: add(sum.uzs, uzs), usd: add(sum.usd, usd) }), {
    uzs: 0n,
    usd: 0n,
  });
}
