import type { Staff } from '#lib/auth/actor.ts';
import { refuseBank } from '#lib/cash/desk/read.ts';
import { checkAccuracy } from '#lib/catalog/accuracy.ts';
import type { Write } from '#lib/table/change/write.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { draftRemoval } from '#lib/trade/draft/record.ts';
import type { VersionedRefusedSale } from '#lib/trade/refused/record.ts';
import { refusalEndWrites } from '#lib/trade/refused/store.ts';
import { fiscalReceiptFields } from '#lib/trade/return/fiscal-receipt.ts';
import { flagCountedLines, offlineSaleWrites } from '#lib/trade/sale/before-count.ts';
import { enforceDebtLimit } from '#lib/trade/sale/debt-limit.ts';
import { settlePayments } from '#lib/trade/sale/foreign-cash.ts';
import { takeGoods } from '#lib/trade/sale/goods.ts';
import { saleFingerprint, saleKeyWrite } from '#lib/trade/sale/idempotency-key.ts';
import type { SaleInput } from '#lib/trade/sale/input.ts';
import { applyPayments, checkDebtor, checkTotal, paymentsOf } from '#lib/trade/sale/payments.ts';
import { quantitiesTaken } from '#lib/trade/sale/quantities.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import { readSaleContext } from '#lib/trade/sale/sale-context.ts';
import { drawSaleIds, newSale, saleWrites } from '#lib/trade/sale/write.ts';
import { throwIfInvalid, trackingCodeWrites } from '#lib/trade/tracking-codes/claims.ts';
import { validateTrackingCodes } from '#lib/trade/tracking-codes/validate.ts';
import { ApiError } from '#lib/values/api-error.ts';
import { inBackground } from '#lib/values/concurrency.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import {
  findIfKeyed,
  readDoubtedClaim,
  replaySale,
  type SaleKeyOutcome,
  type SaleOutcome,
} from './idempotent-sale.ts';
import { offersFor } from './moment.ts';
import { checkSoldAt } from './offline.ts';
import {
  checkTerms,
  priceGoods,
  type RedeemedHold,
  readRedeemed,
  redemptionWrites,
  releaseHoldGoods,
  requireSameLines,
} from './redeem-hold.ts';
import { checkSeller, readSeller } from './seller.ts';
import { endRefused } from './store-refused.ts';

/** A sale that was made in the service itself. */
const NATIVE: Pick<Sale, 'source_type' | 'source_data'> = { source_type: 'native', source_data: [] };

/** How a sale comes. */
export interface Arrival {
  /** Keeps the answer for a repetition of the call. */
  readonly saveResponse: (sale: Sale, was?: VersionedRefusedSale) => Write[];
  /** Its body as it was sent; undefined if it is one that is kept. */
  readonly sent?: unknown;
  /** Set if somebody retries a refused sale: who sold and who sent it stay. */
  readonly isRetry?: true;
  /** Set if it is to be made as of now, though judged by when it was sold. Part 4, 4.4, 5. */
  readonly isAsOfNow?: boolean;
  /** Set if its prices, discounts and change are taken as they were sent. */
  readonly areAccepted?: boolean;
}

/**
 * Sells goods: takes them off the warehouse, the oldest batches first, and posts what is paid to the desk.
 * All of it or nothing, in one transaction; 422 with all failing fields. `remember` keeps the answer for a
 * repetition of the call. A sale with a key that was sent before is told as it is now, whatever would keep it
 * from being made now; one that was refused and waits is tried again, and stays if it is refused again.
 * Contract 5; Part 4, 4.4.
 */
export async function sell(
  actor: Staff,
  input: SaleInput,
  at: Instant,
  arrival: Arrival,
): Promise<SaleOutcome> {
  const find = (read?: typeof readDoubtedClaim) => findIfKeyed(actor, input, arrival, read);
  return retryOnContention(async () => {
    const reading = inBackground(readSale(actor, input, at));
    const [known] = await Promise.all([find(), Promise.allSettled([reading])]);
    if (known?.sale) return replaySale(actor, known.sale, input, at);
    try {
      const sale = await makeSale(actor, input, await reading, { ...arrival, ...known, at });
      return { sale, isReplayed: false, was: known?.waiting };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // It may be that the same sale was faster, and took the very goods that are short now.
      return endRefused(actor, input, await find(readDoubtedClaim), { ...arrival, refusal: error, at });
    }
  });
}

/** Makes a sale of what was read for it. */
async function makeSale(
  actor: Staff,
  input: SaleInput,
  { ids, basis, redeemed, seller, payments, issues }: Read,
  {
    at,
    saveResponse,
    waiting,
    sent,
    ...arrival
  }: Arrival & Partial<SaleKeyOutcome> & { readonly at: Instant },
): Promise<Sale> {
  const { tenant } = actor;
  const { client_id, hold_id, comment, key, sold_at: offlineSince } = input;
  const { isRetry, isAsOfNow = false, areAccepted = false } = arrival;
  const kept = isRetry ? waiting?.creator_id : undefined;
  const maker = checkSeller(actor, input, { seller, desk: basis.desk, kept }, issues);
  const bringing = { ...bringersOf(actor, waiting, isRetry), ...timesOf(offlineSince, isAsOfNow, at) };
  const head = { ids, maker, ...bringing, client_id, hold_id, comment, key, ...NATIVE };

  checkSoldAt(actor, input, { ...arrival, at, arrived_at: waiting?.created_at }, issues);
  checkDebtor(input, payments, offlineSince ?? at, issues);
  if (!basis.takesPayments) refuseBank(input.transactions, 'transactions', issues);
  if (redeemed) {
    checkTerms(redeemed, basis, issues);
    releaseHoldGoods(basis.stockLevels, redeemed, { actor, at });
  }
  const offers = offersFor(input, { basis, redeemed, offlineSince, at, areAccepted }, issues);
  const lines = priceGoods(input, redeemed, offers, issues);
  await checkQuantities(actor, input, { basis, redeemed }, issues);
  const marks = validateTrackingCodes(input, lines, offers.products, issues);
  const taken = takeGoods(basis, lines, { ...head, marks }, issues);
  const goods = offlineSince === null ? taken : flagCountedLines(taken, basis.stockLevels, offlineSince);
  const settled = settlePayments(payments, lines, offers.pricing, issues.unless('hold_id'));
  checkTotal(settled, lines, issues.unless('hold_id'));
  const limited = enforceDebtLimit({ actor, ...input, second: offers.second }, settled, basis, issues);
  const paid = applyPayments(basis, limited, head, issues);
  await throwIfInvalid(tenant, { sold: goods.marks }, issues);

  const made = newSale(basis, head, goods, paid);
  const sale = input.fiscal ? { ...made, ...fiscalReceiptFields(input.fiscal) } : made;
  await transact([
    ...saleWrites(tenant, basis, { sale, goods, paid }, input.due_date),
    ...trackingCodeWrites(tenant, sale.id, goods.marks),
    ...offlineSaleWrites(tenant, sale.id, goods.lines),
    ...(redeemed ? redemptionWrites(tenant, redeemed, sale) : []),
    ...(input.cheque === null ? [] : [draftRemoval(tenant, basis.desk, input.cheque)]),
    ...(key === null ? [] : [saleKeyWrite(tenant, { ...input, key }, claimOf(sale, input, waiting))]),
    ...(waiting ? refusalEndWrites(tenant, waiting, sale, sent) : []),
    ...saveResponse(sale, waiting),
  ]);
  return sale;
}

/** Names who has sent a sale, and who has retried it if it was refused before. */
function bringersOf({ id }: Staff, waiting: VersionedRefusedSale | undefined, isRetry = false) {
  if (!isRetry) return { sent_by: id, ...(waiting?.retried_by && { retried_by: waiting.retried_by }) };
  return { sent_by: waiting?.sent_by ?? id, retried_by: id };
}

/** Tells when a sale was made: as of now, if it is retried so, and then also when it was made first. */
function timesOf(offlineSince: Instant | null, isAsOfNow: boolean, at: Instant) {
  if (isAsOfNow) return { sold_at: at, happened_at: offlineSince, at };
  return { sold_at: offlineSince ?? at, at };
}

/** Checks that quantities have no more digits than their units, but of what was sold already. */
async function checkQuantities(
  actor: Staff,
  { products, sold_at }: SaleInput,
  { basis, redeemed }: Pick<Read, 'basis' | 'redeemed'>,
  issues: ValidationIssues,
): Promise<void> {
  if (sold_at !== null) return;
  const taken = quantitiesTaken(products, basis.stockLevels, redeemed?.lines);
  await checkAccuracy(actor, taken, issues, basis.products);
}

/** Tells what a sale rests on besides what its body names. */
function basisTermsOf({ sold_at }: SaleInput, redeemed: RedeemedHold | undefined) {
  return { isOffline: sold_at !== null, setAside: redeemed?.lines, ownCurrency: redeemed?.hold.currency };
}

function claimOf({ id: sale_id }: Sale, input: SaleInput, was: VersionedRefusedSale | undefined) {
  return { sale_id, terms: saleFingerprint(input), refused_id: was?.id };
}

type Read = Awaited<ReturnType<typeof readSale>>;

/** Reads what a sale rests on: the hold that it closes, if it names one, and then all else beside its ids. */
async function readSale(actor: Staff, input: SaleInput, at: Instant) {
  const { hold_id } = input;
  const issues = new ValidationIssues();
  const payments = paymentsOf(input);
  const redeemed = hold_id === null ? undefined : await readRedeemed(actor, { ...input, hold_id }, issues);
  const [ids, basis, seller] = await Promise.all([
    drawSaleIds(actor.tenant, payments),
    readSaleContext(actor, { ...input, ...basisTermsOf(input, redeemed) }, issues),
    readSeller(actor, input, at),
    redeemed && requireSameLines(actor.tenant, redeemed),
  ]);
  return { ids, basis, redeemed, seller, payments, issues };
}
