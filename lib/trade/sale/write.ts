import type * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { deskMoneyWrite } from '#lib/cash/desk-money.ts';
import { TRANSFER, type Transfer, transfersOf, transferWrites } from '#lib/cash/transfer.ts';
import { chargeWrites } from '#lib/clients/client-sums.ts';
import { debtInsertion, debts } from '#lib/clients/debt.ts';
import { documentInsertion } from '#lib/records/documents.ts';
import { lineWrites } from '#lib/records/lines.ts';
import type { Home } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import type { Write } from '#lib/table/transaction/write.ts';
import { endOfDay, type Instant } from '#lib/values/time.ts';
import type { Deal } from './deal.ts';
import type { Goods } from './goods.ts';
import type { SaleInput } from './input.ts';
import { chargeOf, incomeOf, paymentsOf } from './payments.ts';
import { SALE_LINE, type Sale, sales } from './record.ts';

/** A validated sale, without its goods. */
export type Terms = Pick<
  SaleInput,
  'cashbox_id' | 'stock_id' | 'client_id' | 'transactions' | 'due_date' | 'comment'
> &
  Pick<Sale, 'source_type' | 'source_data'>;

/** The ids of a sale, of its lines, and of what its payments become. */
export type SaleIds = Awaited<ReturnType<typeof drawSaleIds>>;

type Desk = NonNullable<Deal['desk']>;

/** A sale as it will be written: the cheque, its lines, and what its payments bring into the desk. */
interface NewSale {
  readonly sale: Sale;
  readonly lines: Goods['lines'];
  readonly desk: Desk;
  readonly money: Desk['money'];
  readonly transfers: readonly z.input<typeof Transfer>[];
  readonly debt: { readonly id: number; readonly due_date: string | null };
}

/** Draws all ids that a sale may need, beside its reads. */
export async function drawSaleIds(
  home: Home,
  lines: number,
  { transactions, currency }: Pick<SaleInput, 'transactions' | 'currency'>,
) {
  const incomes = incomeOf(transactions, currency).length;
  const [sale, first, transfer, debt] = await Promise.all([
    nextId(sales.type, home),
    lines > 0 ? nextId(SALE_LINE, home, lines) : 0,
    incomes > 0 ? nextId(TRANSFER, home, incomes) : 0,
    transactions.some(({ payment_type }) => payment_type === 'debt') ? nextId(debts.type, home) : 0,
  ]);
  return { sale, lines: { first, count: lines }, transfer, debt };
}

/** Makes a sale of its terms, its goods and the desk that it is paid at. */
export function newSale(
  { id: creator_id }: Staff,
  { transactions, due_date, ...head }: Terms,
  {
    lines,
    cost,
    desk,
    pricing,
    ids,
  }: Goods & Pick<Deal, 'pricing'> & { readonly desk: Desk; readonly ids: SaleIds },
  at: Instant,
): NewSale {
  const { company_id } = desk;
  const { cashbox_id, comment } = head;
  const source = { source_type: 'sale', source_id: ids.sale } as const;
  const occasion = { company_id, cashbox_id, creator_id, ...source, comment, at };
  const income = transfersOf(desk.money, incomeOf(transactions, pricing.currency), occasion, ids.transfer);
  if (!income) throw new Error('The desk was to be checked for room');
  const sale: Sale = {
    ...head,
    id: ids.sale,
    creator_id,
    company_id,
    hold_id: null,
    exchange_of_sale_id: null,
    currency: pricing.currency,
    rates: pricing.rates,
    purchased_amount: cost,
    sold_amount: lines.reduce((sum, { amount }) => sum + amount, 0),
    returned_amount: 0,
    received_amount: income.transfers.reduce((sum, { amount }) => sum + amount, 0),
    paid_out_amount: 0,
    status: 'completed',
    code: `#${ids.sale}`,
    transactions: paymentsOf(transactions, income.transfers, ids.debt),
    products_count: lines.length,
    created_at: at,
    updated_at: at,
  };
  return { sale, lines, desk, ...income, debt: { id: ids.debt, due_date } };
}

/**
 * Builds the writes of a sale, except those of the shelves: the cheque, its lines, the desk, bonuses and the
 * debt.
 */
export function saleWrites(home: Home, { sale, lines, desk, money, transfers, debt }: NewSale): Write[] {
  return [
    documentInsertion(sales, home, sale),
    ...lineWrites({ type: sales.type, home, id: sale.id }, lines),
    deskMoneyWrite(home, desk.id, desk.money, money),
    ...transferWrites(home, transfers),
    ...clientWrites(home, sale, debt),
  ];
}

/** Builds the writes of the client's bonuses and debt. */
function clientWrites(home: Home, sale: Sale, { id, due_date }: NewSale['debt']): Write[] {
  const { id: sale_id, client_id, creator_id, company_id, currency, comment, created_at } = sale;
  if (client_id === null) return [];
  const charge = chargeOf(sale.transactions, currency);
  const writes = chargeWrites(home, client_id, charge);
  if (charge.debt === 0 || due_date === null) return writes;
  const dates = { due_date: endOfDay(due_date) - 1000, created_at, updated_at: created_at };
  const owed = { id, creator_id, company_id, client_id, sale_id, currency, comment };
  return [...writes, debtInsertion(home, { ...owed, ...dates, amount: charge.debt })];
}
