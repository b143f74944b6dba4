import { writesAt } from '#lib/cash/posting/make.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { balanceChangeWrites } from '#lib/clients/balance-change.ts';
import { withEarnings } from '#lib/clients/bonus-share.ts';
import { beforeDocument } from '#lib/clients/client-balances.ts';
import { dueAtEndOf, newDebtWrites } from '#lib/clients/debt/change.ts';
import { debts } from '#lib/clients/debt/record.ts';
import { deposits, entryWrite } from '#lib/clients/deposit/record.ts';
import { documentInsertion } from '#lib/records/documents.ts';
import { lineWrites } from '#lib/records/lines.ts';
import type { Stored } from '#lib/records/stored.ts';
import { check, type Write } from '#lib/table/change/write.ts';
import { equals } from '#lib/table/expression.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import type { DiscountedSale } from '#lib/trade/pricing/cheque-discount.ts';
import { totalAmount } from '#lib/values/money.ts';
import { dayOf, type Instant } from '#lib/values/time.ts';
import { sumByVat, totalVat, vatTupleOf } from '#lib/values/vat.ts';
import type { PaymentResult } from './decide-payments.ts';
import type { Goods } from './goods.ts';
import { moneyPaid, type Payments } from './payments.ts';
import { type Sale, sales } from './record.ts';
import type { SaleContext, SaleHeader } from './sale-context.ts';

/** Completed sale, with its goods and payments. */
export interface CompletedSale {
  readonly sale: Sale;
  readonly goods: Goods;
  readonly paid: PaymentResult;
}

/** Draws the ids of a sale, in parallel with its reads. */
export async function drawSaleIds(tenant: Tenant, { income, charge }: Payments): Promise<SaleHeader['ids']> {
  // The value of foreign cash is not known yet, so there may be change.
  const change = income.some(({ currency }) => currency !== charge.currency) ? 1 : 0;
  const [sale, posting, debt, deposit] = await Promise.all([
    nextId(sales.type, tenant),
    nextId(POSTING, tenant, income.length + change),
    nextId(debts.type, tenant, charge.debt > 0 ? 1 : 0),
    nextId(deposits.type, tenant, charge.deposit ? 1 : 0),
  ]);
  return { sale, posting, debt, deposit };
}

/** A sale is offline if it arrives later than a request may take. Part 4, 4.4, 2. */
const SOON_MS = 10 * 60 * 1000;

/** Returns true if a sale is offline. */
export function isOffline(soldAt: Instant, madeAt: Instant): boolean {
  return soldAt < madeAt - SOON_MS;
}

/** Goods of a sale, with the discount of the whole. */
interface DiscountedGoods extends Goods {
  readonly cheque_discount?: DiscountedSale['cheque_discount'] | undefined;
}

/** Creates the sale from its goods and payments. */
export function newSale(
  { desk, warehouse, clientSums, pricing: { currency, rates } }: SaleContext,
  { ids, maker, at, price_type_id, ...head }: SaleHeader,
  { lines, services, cheque_discount }: DiscountedGoods,
  { transactions, change_amount, payment_rates, charge: { earned } }: PaymentResult,
): Sale {
  const all = [...lines, ...services];
  return {
    ...head,
    ...maker,
    id: ids.sale,
    company_id: desk.company_id,
    cashbox_id: desk.id,
    ...(desk.money.shift && { shift_id: desk.money.shift.id }),
    stock_id: warehouse.id,
    client_before: head.client_id === null ? null : beforeDocument(clientSums, currency, dayOf(at)),
    ...(typeof price_type_id === 'number' && { price_type_id }),
    exchange_of_sale_id: null,
    is_late: isOffline(head.happened_at ?? head.sold_at, at),
    is_fiscalized: false,
    currency,
    rates,
    purchased_amount: all.reduce((sum, { cost }) => sum + cost, 0),
    discount_amount: all.reduce((sum, { discount }) => sum + discount, 0),
    sold_amount: totalAmount(all),
    vat_amount: totalVat(all),
    vat: sumByVat(all).map(vatTupleOf),
    ...(services.length > 0 && { services: [...services] }),
    ...(cheque_discount && { cheque_discount }),
    returned_amount: 0,
    received_amount: moneyPaid({ transactions, change_amount }),
    paid_out_amount: 0,
    bonus_earned: earned?.amount ?? 0,
    bonus_available_on: earned?.day ?? null,
    bonus_taken_back: 0,
    bonus_shares: withEarnings([], earned ? [earned] : []),
    passed_on_amount: 0,
    exchanged_amount: 0,
    origins: [],
    status: 'completed',
    code: `#${ids.sale}`,
    transactions: [...transactions],
    ...(change_amount > 0 && { change_amount }),
    ...(payment_rates && { payment_rates }),
    products_count: lines.length,
    created_at: at,
    updated_at: at,
  };
}

/**
 * Builds the writes of a sale: itself, its desk, its client, its debt with the due date, and stock levels.
 */
export function saleWrites(
  tenant: Tenant,
  { warehouse, stockLevels, clientSums }: SaleContext,
  { sale, goods, paid }: CompletedSale,
  due_date: string | null,
): Write[] {
  const { id, client_id, created_at } = sale;
  const isClients = client_id !== null && clientSums !== undefined;
  return [
    documentInsertion(sales, tenant, sale),
    ...lineWrites({ type: sales.type, tenant, id }, goods.lines),
    ...writesAt(tenant, paid),
    ...(isClients
      ? balanceChangeWrites({ tenant, id: client_id }, clientSums, paid.charge, dayOf(created_at))
      : []),
    ...(paid.entry ? [entryWrite(tenant, paid.entry)] : []),
    ...debtWritesOf(tenant, sale, due_date),
    ...stockLevels.writes(warehouse),
  ];
}

function debtWritesOf(tenant: Tenant, sale: Sale, due_date: string | null): Write[] {
  const { id: sale_id, creator_id, impersonator_id, company_id, client_id, currency, comment } = sale;
  const { transactions, created_at } = sale;
  const debt = transactions.find(({ payment_type }) => payment_type === 'debt');
  if (!debt?.debt_id || client_id === null || due_date === null) return [];
  return newDebtWrites(tenant, {
    id: debt.debt_id,
    creator_id,
    impersonator_id,
    company_id,
    client_id,
    sale_id,
    currency,
    amount: debt.amount,
    comment,
    due_date: dueAtEndOf(due_date),
    created_at,
    updated_at: created_at,
  });
}

/** Builds the check that a sale is unchanged since it was read. */
export function requireSameSale(tenant: Tenant, { id, version }: Stored<typeof sales.schema>): Write {
  return check(recordKey(sales.type, tenant, id), { if: equals('version', version) });
}
