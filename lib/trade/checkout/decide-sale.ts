import type { Staff } from '#lib/auth/actor.ts';
import { refuseBank } from '#lib/cash/desk/read.ts';
import { type Accuracies, checkDecimals, type Measured } from '#lib/catalog/accuracy.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { draftRemoval } from '#lib/trade/draft/record.ts';
import { completePricing } from '#lib/trade/pricing/cheque-discount.ts';
import { typeIdOf } from '#lib/trade/pricing/price.ts';
import { checkPriceType } from '#lib/trade/pricing/price-type.ts';
import type { VersionedRefusedSale } from '#lib/trade/refused/record.ts';
import { refusalEndWrites } from '#lib/trade/refused/store.ts';
import { fiscalReceiptFields } from '#lib/trade/return/fiscal-receipt.ts';
import { flagCountedLines, offlineSaleWrites } from '#lib/trade/sale/before-count.ts';
import { checkDebtor, decidePayments } from '#lib/trade/sale/decide-payments.ts';
import { takeGoods } from '#lib/trade/sale/goods.ts';
import { saleFingerprint, saleKeyWrite } from '#lib/trade/sale/idempotency-key.ts';
import type { SaleInput } from '#lib/trade/sale/input.ts';
import { paymentsOf } from '#lib/trade/sale/payments.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import { checkContext, type SaleContext, type SaleHeader } from '#lib/trade/sale/sale-context.ts';
import { type CompletedSale, newSale, saleWrites } from '#lib/trade/sale/write.ts';
import { type Decision, trackingCodeWrites } from '#lib/trade/tracking-codes/claims.ts';
import { validateTrackingCodes } from '#lib/trade/tracking-codes/validate.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { checkSoldAt, offersFor } from './offline.ts';
import {
  checkHoldCompany,
  type NamedHold,
  priceGoods,
  redemptionWrites,
  releaseHoldGoods,
} from './redeem-hold.ts';
import { checkSeller } from './seller.ts';

/** Sale made in the service itself. */
const NATIVE: Pick<Sale, 'source_type' | 'source_data'> = { source_type: 'native', source_data: [] };

/** Data that a sale is decided by, as read. */
export interface SaleFacts extends NamedHold {
  readonly ids: SaleHeader['ids'];
  readonly basis: SaleContext;
  /** The user who sold, if they exist. */
  readonly seller: Staff | undefined;
  /** Quantities whose decimal places are limited, and the limits. */
  readonly quantities: readonly Measured[];
  readonly accuracies: Accuracies;
}

/** Circumstances of a sale. */
export interface SaleOccasion {
  readonly at: Instant;
  /** Refused sale that it replaces. */
  readonly waiting?: VersionedRefusedSale | undefined;
  /** Body as sent; undefined if it is a stored one. */
  readonly sent?: unknown;
  /** True if a user retries a refused sale: its seller and sender stay. */
  readonly isRetry?: true;
  /** True if it is made as of now, though validated as of its own time. Part 4, 4.4, 5. */
  readonly isAsOfNow?: boolean;
  /** True if its prices, discounts and change are accepted as sent. */
  readonly areAccepted?: boolean;
  /** True for a preview: the payments may fall short of the total. Part 5, 5B.5. */
  readonly mayFallShort?: boolean;
}

/** A valid sale, with all that its writes need. */
export interface SalePlan extends CompletedSale, Pick<SaleOccasion, 'waiting' | 'sent'> {
  readonly input: SaleInput;
  readonly basis: SaleContext;
  readonly redeemed: NamedHold['redeemed'];
}

/**
 * Decides a sale: its plan, or all its issues. 400 if the desk's shift is overdue. Contract 5; Part 4, 4.4.
 */
export function decideSale(
  actor: Staff,
  input: SaleInput,
  facts: SaleFacts,
  occasion: SaleOccasion,
): Decision<SalePlan> {
  const { at, waiting, sent, isRetry, isAsOfNow = false, areAccepted = false, mayFallShort } = occasion;
  const { redeemed, holdIssue, seller } = facts;
  const { sold_at: offlineSince, client_id, hold_id, comment, key } = input;
  // The goods move on a copy: the facts stay as they were read.
  const basis = { ...facts.basis, stockLevels: facts.basis.stockLevels.copy() };
  const payments = paymentsOf(input);
  const issues = new ValidationIssues();

  if (holdIssue) issues.add('hold_id', holdIssue);
  checkContext(input, basis, issues);
  const kept = isRetry ? waiting?.creator_id : undefined;
  const maker = checkSeller(actor, input, { seller, desk: basis.desk, kept }, issues);
  const senders = { ...sendersOf(actor, waiting, isRetry), ...timesOf(offlineSince, isAsOfNow, at) };
  const head = { ids: facts.ids, maker, ...senders, client_id, hold_id, comment, key, ...NATIVE };
  checkSoldAt(actor, input, { at, arrived_at: waiting?.created_at, isRetry, isAsOfNow }, issues);
  checkDebtor(input, payments, offlineSince ?? at, issues);
  if (!basis.takesPayments) refuseBank(input.transactions, 'transactions', issues);
  if (redeemed) {
    checkHoldCompany(redeemed, basis, issues);
    releaseHoldGoods(basis.stockLevels, redeemed, { actor, at });
  }

  const offers = offersFor(input, { basis, redeemed, offlineSince, at, areAccepted }, issues);
  checkPriceType(offers.pricing, issues);
  const lines = priceGoods(input, redeemed, offers, issues);
  const sold = completePricing(lines, input, offers, issues);
  checkDecimals(facts.quantities, facts.accuracies, issues);
  const marks = validateTrackingCodes(input, lines, offers.products, issues);
  const taken = takeGoods(basis, sold.goods, { ...head, marks, services: sold.services, offers }, issues);
  const goods = offlineSince === null ? taken : flagCountedLines(taken, basis.stockLevels, offlineSince);

  const lender = { actor, ...input, second: offers.second };
  const paid = decidePayments(
    basis,
    {
      ...{ payments, lines: [...sold.goods, ...sold.services], pricing: offers.pricing },
      ...{ lender, head, mayFallShort },
    },
    issues,
  );
  if (issues.areAny) return { issues, sold: goods.marks };

  const discounted = { ...goods, cheque_discount: sold.cheque_discount };
  const made = newSale(basis, { ...head, price_type_id: typeIdOf(offers.pricing) }, discounted, paid);
  const sale = input.fiscal ? { ...made, ...fiscalReceiptFields(input.fiscal) } : made;
  return { plan: { input, basis, redeemed, sale, goods, paid, waiting, sent } };
}

/** Returns who sent a sale, and who retried it if it was refused before. */
function sendersOf({ id }: Staff, waiting: VersionedRefusedSale | undefined, isRetry = false) {
  if (!isRetry) return { sent_by: id, ...(waiting?.retried_by && { retried_by: waiting.retried_by }) };
  return { sent_by: waiting?.sent_by ?? id, retried_by: id };
}

/** Returns the times of a sale: if it is made as of now, also its own time. */
function timesOf(offlineSince: Instant | null, isAsOfNow: boolean, at: Instant) {
  if (isAsOfNow) return { sold_at: at, happened_at: offlineSince, at };
  return { sold_at: offlineSince ?? at, at };
}

/** Builds all writes of a sale, apart from its saved response. */
export function salePlanWrites(tenant: Tenant, plan: SalePlan): Write[] {
  const { input, basis, redeemed, sale, goods, waiting, sent } = plan;
  const { key, cheque } = input;
  const claim = { sale_id: sale.id, terms: saleFingerprint(input), refused_id: waiting?.id };
  return [
    ...saleWrites(tenant, basis, plan, input.due_date),
    ...trackingCodeWrites(tenant, sale.id, goods.marks),
    ...offlineSaleWrites(tenant, sale.id, goods.lines),
    ...(redeemed ? redemptionWrites(tenant, redeemed, sale) : []),
    ...(cheque === null ? [] : [draftRemoval(tenant, basis.desk, cheque)]),
    ...(key === null ? [] : [saleKeyWrite(tenant, { ...input, key }, claim)]),
    ...(waiting ? refusalEndWrites(tenant, waiting, sale, sent) : []),
  ];
}
