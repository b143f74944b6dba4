import type { Staff } from '#lib/auth/actor.ts';
import { checkDecimals } from '#lib/catalog/accuracy.ts';
import { withEarnings } from '#lib/clients/bonus-share.ts';
import { entryWrite } from '#lib/clients/deposit/record.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { completePricing } from '#lib/trade/pricing/cheque-discount.ts';
import { priceLines } from '#lib/trade/pricing/lines.ts';
import { typeIdOf } from '#lib/trade/pricing/price.ts';
import { checkPriceType } from '#lib/trade/pricing/price-type.ts';
import { allocateRefund, type RefundAllocation } from '#lib/trade/return/allocate-refund.ts';
import { closePurses, openPurses, purseOfHeir } from '#lib/trade/return/chain-purses.ts';
import { linesToReturn, type Returning, restock } from '#lib/trade/return/lines.ts';
import type { Original } from '#lib/trade/return/original.ts';
import type { PaidOut } from '#lib/trade/return/payout.ts';
import { type Purse, withPurse } from '#lib/trade/return/purse.ts';
import { refundDue } from '#lib/trade/return/refund-due.ts';
import { servicesToReturn } from '#lib/trade/return/services.ts';
import {
  type CompletedReturn,
  clientReturnWrites,
  type Moves,
  makeReturn,
  saleReturnWrites,
} from '#lib/trade/return/write.ts';
import { checkDebtor } from '#lib/trade/sale/decide-payments.ts';
import { takeGoods } from '#lib/trade/sale/goods.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import { allLinesOf, type ReturnedLine, type SaleReturn } from '#lib/trade/sale/returns-of.ts';
import { checkContext } from '#lib/trade/sale/sale-context.ts';
import { type CompletedSale, newSale, saleWrites } from '#lib/trade/sale/write.ts';
import { type Decision, trackingCodesBack, trackingCodeWrites } from '#lib/trade/tracking-codes/claims.ts';
import { validateTrackingCodes } from '#lib/trade/tracking-codes/validate.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { type MinorUnits, totalAmount } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { type PaidDifference, payDifference, withPayouts } from './difference.ts';
import {
  checkPlaces,
  type ExchangeFacts,
  type ExchangeInput,
  type ExchangeSides,
  quantitiesOf,
  sidesOf,
} from './sides.ts';

/** Enough for any customer; a return reads and guards each. */
const MAX_ORIGINS = 20;

/** A valid exchange, with all that its writes need. */
interface ExchangePlan {
  readonly sides: ExchangeSides;
  readonly returned: CompletedReturn;
  readonly sold: CompletedSale;
  readonly back: ReturnType<typeof trackingCodesBack>;
  /** Entry of the original client's deposit, if any is paid out to it. */
  readonly entry: PaidOut['entry'];
  readonly due_date: string | null;
  readonly due: ExchangeDue;
}

/** Difference of an exchange, for a preview. */
interface ExchangeDue extends ReturnType<typeof refundDue> {
  readonly returned_amount: MinorUnits;
  readonly new_amount: MinorUnits;
  readonly surcharge: MinorUnits;
  readonly payout: MinorUnits;
}

/** Circumstances of an exchange. */
interface ExchangeOccasion {
  readonly at: Instant;
  /** True for a preview: the payments may fall short of the difference. Part 5, 5B.5. */
  readonly mayFallShort?: boolean;
}

/** Decides an exchange: its plan, or all its issues. */
export function decideExchange(
  actor: Staff,
  input: ExchangeInput,
  facts: ExchangeFacts,
  { at, mayFallShort = false }: ExchangeOccasion,
): Decision<ExchangePlan> {
  const sides = sidesOf(actor, input, facts, at);
  const { original, basis, head } = sides;
  const issues = new ValidationIssues();
  const returning = linesToReturn(input.returned_products, original.lines, 'returned_products', issues);
  const given = original.sale.services ?? [];
  const servicesBack = servicesToReturn(input.returned_services, given, 'returned_services', issues);
  checkContext(input, basis, issues);
  checkPriceType(basis.pricing, issues);
  checkPlaces(input, sides, issues);
  checkDebtor(input, sides.payments, at, issues);

  const returnedLines = { products: restockReturned(sides, returning), services: servicesBack };
  const lines = priceLines(input, basis, issues);
  const fresh = completePricing(lines, input, basis, issues);
  checkDecimals(quantitiesOf(input, basis.stockLevels, original), sides.accuracies, issues);
  const marks = validateTrackingCodes(input, lines, basis.products, issues);
  const goods = takeGoods(
    basis,
    fresh.goods,
    { ...head, marks, services: fresh.services, offers: basis },
    issues.unless('returned_products'),
  );
  const back = trackingCodesBack(returnedLines.products);
  const allotment = allocateRefund(
    original,
    totalAmount(allLinesOf(returnedLines)),
    totalAmount([...fresh.goods, ...fresh.services]),
  );
  const purses = openPurses(original, allotment);
  if (purses.passedOn.deposit > 0 && head.client_id !== original.sale.client_id) {
    issues.add('client_id', 'exchange.deposit_of_client');
  }
  const contribution = { allotment, purse: purses.own, mayFallShort };
  const difference = payDifference(sides, contribution, { actor, ...input }, issues);
  if (issues.areAny) return { issues, sold: goods.marks, back };

  const closed = closePurses(original, { ...purses, own: difference.left }, allotment);
  const moves = { allotment, heir: head.client_id, purses: closed };
  const returned = returnOf(sides, returnedLines, moves, difference.paidOut);
  const discounted = { ...goods, cheque_discount: fresh.cheque_discount };
  const newHead = { ...head, price_type_id: typeIdOf(basis.pricing) };
  const newOne = newSale(basis, newHead, discounted, difference.paid);
  const made = inherit(newOne, original, returned);
  const sale = withPurse(made, purseOfHeir(purses, made), undefined);
  const sold = { sale, goods, paid: withPayouts(difference) };
  const due = dueOf(contribution, difference);
  const { entry } = difference.paidOut;
  return { plan: { sides, returned, sold, back, entry, due_date: input.due_date, due } };
}

/** Computes the difference that is due. */
function dueOf(
  { allotment, purse }: { readonly allotment: RefundAllocation; readonly purse: Purse },
  difference: PaidDifference,
): ExchangeDue {
  const { value, goods } = allotment;
  const refund = refundDue(allotment, difference, purse);
  return {
    ...refund,
    foreign: goods >= value ? [] : refund.foreign,
    returned_amount: value,
    new_amount: goods,
    surcharge: Math.max(0, goods - value),
    payout: difference.payout,
  };
}

/** Restocks the returned goods, so that they can be sold again at once. */
function restockReturned(
  { original, back, returnId, head: { maker, at } }: ExchangeSides,
  returning: readonly Returning[],
): ReturnedLine[] {
  const cause = { document: 'exchange', documentId: returnId, by: maker, at } as const;
  return restock(back, returning, original.sale, cause);
}

/** Creates the return side of an exchange. */
function returnOf(
  { original, returnId, basis, head: { ids, maker, at } }: ExchangeSides,
  lines: Pick<SaleReturn, 'products' | 'services'>,
  moves: Moves,
  { transactions }: PaidOut,
): CompletedReturn {
  const { id: cashbox_id, money } = basis.desk;
  const place = { cashbox_id, ...(money.shift && { shift_id: money.shift.id }) };
  const places = { ...place, stock_id: original.sale.stock_id, exchange_sale_id: ids.sale };
  const made = { id: returnId, kind: 'exchange', ...places, ...maker, created_at: at } as const;
  return makeReturn(original, { ...made, ...lines, transactions }, moves);
}

/** Adds to the new sale the money that the returned value represents, and the bonuses it earned. */
function inherit(sale: Sale, original: Original, { made, moved }: CompletedReturn): Sale {
  return {
    ...sale,
    exchange_of_sale_id: original.sale.id,
    received_amount: sale.received_amount + made.passed_on_amount,
    exchanged_amount: made.exchanged_amount,
    bonus_shares: withEarnings(sale.bonus_shares, moved.passedOn),
    origins: originsOf(original),
  };
}

/** Lists the sales on debt from which a sale exchanged for this one originates. 400 over their limit. */
function originsOf({ sale, debt }: Original): Sale['origins'] {
  const { origins } = sale;
  if (!debt) return origins;
  if (origins.length === MAX_ORIGINS) throw badRequest('exchange.too_many_debts', { max: MAX_ORIGINS });
  return [{ sale_id: sale.id, debt_id: debt.id, client_id: debt.client_id }, ...origins];
}

/**
 * Builds the writes of both sales. An item may occur only once in a transaction, so a common client is
 * charged once for both, and the stock levels of a common warehouse are written once.
 */
export function exchangeWrites(tenant: Tenant, plan: ExchangePlan): Write[] {
  const { sides, returned, sold: sale, due_date } = plan;
  const { original, basis, back } = sides;
  const { paid } = sale;
  const isOneClient = original.sale.client_id === sale.sale.client_id;
  const { debt, deposit, takenBack } = returned.charge;
  const both = { ...paid.charge, debt: paid.charge.debt + debt, takenBack };
  // The deposit pays the difference, or gets it.
  const charge = isOneClient ? { ...both, deposit: deposit ?? paid.charge.deposit } : paid.charge;
  return [
    ...saleReturnWrites(tenant, original, returned, sale.sale.stock_id),
    ...(isOneClient ? [] : clientReturnWrites(tenant, original, returned)),
    ...(plan.entry ? [entryWrite(tenant, plan.entry)] : []),
    ...(back === basis.stockLevels ? [] : back.writes(original.warehouse)),
    ...saleWrites(tenant, basis, { ...sale, paid: { ...paid, charge } }, due_date),
    ...trackingCodeWrites(tenant, sale.sale.id, sale.goods.marks, plan.back),
  ];
}
