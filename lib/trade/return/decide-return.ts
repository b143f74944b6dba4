import * as z from 'zod';
import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { writesAt } from '#lib/cash/posting/make.ts';
import { type Accuracies, checkDecimals } from '#lib/catalog/accuracy.ts';
import { entryWrite } from '#lib/clients/deposit/record.ts';
import type { Destination } from '#lib/stock/inflow.ts';
import type { StockLevels } from '#lib/stock/stock-levels.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { mayPayOut } from '#lib/trade/deposit/decide-deposit.ts';
import { allLinesOf } from '#lib/trade/sale/returns-of.ts';
import { type Decision, trackingCodesBack, trackingCodeWrites } from '#lib/trade/tracking-codes/claims.ts';
import { Id, orNull } from '#lib/values/fields.ts';
import { type MinorUnits, paymentList, totalAmount } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { allocateRefund } from './allocate-refund.ts';
import { closePurses, openPurses } from './chain-purses.ts';
import { LinesToReturn, linesToReturn, quantitiesReturned, restock } from './lines.ts';
import { type Original, requireRemainder } from './original.ts';
import { countPayouts, type PaidOut, Payout, payOut } from './payout.ts';
import { refundDue } from './refund-due.ts';
import { ServicesToReturn, servicesToReturn } from './services.ts';
import { type CompletedReturn, clientReturnWrites, makeReturn, saleReturnWrites } from './write.ts';

/**
 * Input to return goods and services of a sale; all that remains if none are listed. Part 2, "Sales";
 * Contract 9.82; Part 5, 5A.1, 4.
 */
export const ReturnInput = z.object({
  /** Paying desk, and receiving warehouse; the sale's if absent. */
  cashbox_id: orNull(Id),
  stock_id: orNull(Id),
  products: LinesToReturn.default([]),
  services: ServicesToReturn.default([]),
  transactions: paymentList(Payout).default([]),
});

export type ReturnInput = z.output<typeof ReturnInput>;

/** Data that a return is decided by, as read. */
export interface ReturnFacts {
  readonly ids: { readonly return: number; readonly posting: number; readonly deposit: number };
  readonly original: Original;
  /** Stock levels of the returned products in the receiving warehouse; none if a place is missing. */
  readonly stockLevels: StockLevels;
  /** Limits of the quantities' decimal places. */
  readonly accuracies: Accuracies;
}

/** A valid return, with all that its writes need. */
interface ReturnPlan {
  readonly original: Original;
  readonly warehouse: Destination;
  readonly stockLevels: StockLevels;
  readonly returned: CompletedReturn;
  readonly paid: Omit<PaidOut, 'transactions'>;
  /** Total of the payouts that are due, and the refund for a preview. */
  readonly total: MinorUnits;
  readonly refund: ReturnType<typeof refundDue>;
}

/** Circumstances of a return. */
interface ReturnOccasion {
  readonly at: Instant;
  /** True for a preview: the payouts may fall short of the amount due. Part 5, 5B.5. */
  readonly mayFallShort?: boolean;
}

/**
 * Decides a return: its plan, or all its issues; payouts are validated once the goods are valid. 400 if
 * nothing remains to be returned. Part 2, "Sales"; Contract 5; Contract 9.82.
 */
export function decideReturn(
  actor: Staff,
  input: ReturnInput,
  { ids, original, accuracies, ...facts }: ReturnFacts,
  { at, mayFallShort }: ReturnOccasion,
): Decision<ReturnPlan> {
  const { sale, lines, desk, warehouse } = original;
  const maker = makerOf(actor);
  const issues = new ValidationIssues();
  requireRemainder(original);
  checkPlaces(original, input, issues);
  const named = linesNamed(input);
  const returning = linesToReturn(named.products, lines, 'products', issues);
  const services = servicesToReturn(named.services, sale.services ?? [], 'services', issues);
  checkDecimals(quantitiesReturned(input.products, lines, 'products'), accuracies, issues);
  if (!desk || !warehouse || issues.areAny) return { issues };

  // The goods move on a copy: the facts stay as they were read.
  const stockLevels = facts.stockLevels.copy();
  const cause = { document: 'sale_return', documentId: ids.return, by: maker, at } as const;
  const products = restock(stockLevels, returning, sale, cause);
  const allotment = allocateRefund(original, totalAmount(allLinesOf({ products, services })));
  const purses = openPurses(original, allotment);
  const { clientSums } = original;
  const paidSale = {
    ...{ sale, clientSums, purse: purses.own, rates: original.rates ?? sale.rates },
    ...{ mayPayOut: mayPayOut(actor), mayFallShort },
  };
  const counted = countPayouts(paidSale, allotment.due, input.transactions, issues);
  const occasion = { sale, clientSums, maker, comment: null, at, ids };
  const { transactions, ...paid } = payOut(desk, counted.payouts, occasion, issues);
  if (issues.areAny) return { issues };

  const { shift } = desk.money;
  const place = { cashbox_id: desk.id, stock_id: warehouse.id, ...(shift && { shift_id: shift.id }) };
  const places = { ...place, exchange_sale_id: null };
  const made = { id: ids.return, kind: 'return', ...places, ...maker, created_at: at } as const;
  const closed = closePurses(original, { ...purses, own: counted.left }, allotment);
  const moves = { allotment, heir: null, purses: closed };
  const returned = makeReturn(original, { ...made, products, services, transactions }, moves);
  const refund = refundDue(allotment, counted, purses.own);
  return { plan: { original, warehouse, stockLevels, returned, paid, total: counted.total, refund } };
}

/** Returns the lines that a body names; null for both kinds if it returns all that remains. */
export function linesNamed({ products, services }: Pick<ReturnInput, 'products' | 'services'>) {
  return products.length + services.length === 0
    ? { products: null, services: null }
    : { products, services };
}

/** Validates the paying desk and the receiving warehouse. Contract 9.82. */
function checkPlaces(
  { desk, warehouse }: Original,
  { cashbox_id, stock_id }: ReturnInput,
  issues: ValidationIssues,
): void {
  if (!desk) issues.add('cashbox_id', cashbox_id === null ? 'return.cashbox_gone' : 'validation.not_found');
  else if (cashbox_id !== null && desk.type !== 'sale')
    issues.add('cashbox_id', 'sale.cashbox_not_for_sales');
  if (!warehouse) issues.add('stock_id', stock_id === null ? 'return.stock_gone' : 'validation.not_found');
}

/** Builds all writes of a return, apart from its saved response. */
export function returnPlanWrites(tenant: Tenant, plan: ReturnPlan): Write[] {
  const { original, warehouse, stockLevels, returned, paid } = plan;
  return [
    ...saleReturnWrites(tenant, original, returned),
    ...clientReturnWrites(tenant, original, returned),
    ...writesAt(tenant, paid),
    ...(paid.entry ? [entryWrite(tenant, paid.entry)] : []),
    ...stockLevels.writes(warehouse),
    ...trackingCodeWrites(tenant, original.sale.id, [], trackingCodesBack(returned.made.products)),
  ];
}
