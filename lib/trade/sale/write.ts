import type { Staff } from '#lib/access/actor.ts';
import { deskMoneyWrite } from '#lib/cash/desk-money.ts';
import { TRANSFER, transfersOf, transferWrites } from '#lib/cash/transfer.ts';
import { chargeWrites } from '#lib/clients/client-sums.ts';
import { debtInsertion, debts } from '#lib/clients/debt.ts';
import { documentInsertion } from '#lib/records/documents.ts';
import { lineWrites } from '#lib/records/lines.ts';
import { withShelves } from '#lib/stock/shelves.ts';
import type { Home } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import type { Write } from '#lib/table/transaction/write.ts';
import { endOfDay, type Instant } from '#lib/values/time.ts';
import type { Deal } from './deal.ts';
import type { Goods } from './goods.ts';
import type { SaleInput } from './input.ts';
import { chargeOf, incomeOf, paymentsOf } from './payments.ts';
import { SALE_LINE, type Sale, sales } from './record.ts';

/** A cheque that has been found right, but for its goods. */
export type Terms = Pick<
  SaleInput,
  'cashbox_id' | 'stock_id' | 'client_id' | 'transactions' | 'due_date' | 'comment'
> &
  Pick<Sale, 'source_type' | 'source_data'>;

/** A deal at a desk that is there. */
export type DeskDeal = Deal & { readonly desk: NonNullable<Deal['desk']> };

/** The ids of a sale, its lines and what its payments become. */
export type SaleIds = Awaited<ReturnType<typeof drawSaleIds>>;

/** Draws all ids a sale may need, beside its reads. */
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

/**
 * Writes a sale: the cheque, its lines, what the shelves have left, and what its payments bring into the desk or turn
 * into a debt, in one transaction with what `also` gives.
 */
export async function writeSale(
  actor: Staff,
  terms: Terms,
  { deal, lines, cost, ids }: Goods & { readonly deal: DeskDeal; readonly ids: SaleIds },
  at: Instant,
  also: (sale: Sale) => readonly Write[],
): Promise<Sale> {
  const { home, id: creator_id } = actor;
  const { desk, pricing, shelves } = deal;
  const { transactions, due_date, ...head } = terms;
  const { company_id } = desk;
  const occasion = {
    company_id,
    cashbox_id: head.cashbox_id,
    creator_id,
    source_type: 'sale',
    source_id: ids.sale,
    comment: head.comment,
    at,
  } as const;
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
  const writes = [
    documentInsertion(sales, home, sale),
    ...lineWrites(sales.type, home, sale.id, lines),
    deskMoneyWrite(home, desk.id, desk.money, income.money),
    ...transferWrites(home, income.transfers),
    ...clientWrites(home, sale, due_date, ids.debt, at),
    ...also(sale),
  ];
  await transact(withShelves(shelves, writes));
  return sale;
}

/** What a sale takes of the client's bonuses, and what the client owes after it. */
function clientWrites(home: Home, sale: Sale, dueDate: string | null, debtId: number, at: Instant): Write[] {
  const { id: sale_id, client_id, creator_id, company_id, currency, comment } = sale;
  if (client_id === null) return [];
  const charge = chargeOf(sale.transactions, currency);
  const writes = chargeWrites(home, client_id, charge);
  if (charge.debt === 0 || dueDate === null) return writes;
  const dates = { due_date: endOfDay(dueDate) - 1000, created_at: at, updated_at: at };
  const owed = { id: debtId, creator_id, company_id, client_id, sale_id, currency, comment };
  return [...writes, debtInsertion(home, { ...owed, ...dates, amount: charge.debt })];
}
