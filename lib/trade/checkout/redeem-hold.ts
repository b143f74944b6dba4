import { isDeepStrictEqual } from 'node:util';
import type { Staff } from '#lib/auth/actor.ts';
import { documentReplacement, findDocument } from '#lib/records/documents.ts';
import { readLinesBetween } from '#lib/records/lines.ts';
import type { StockLevels } from '#lib/stock/stock-levels.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { Contention } from '#lib/table/transaction/transact.ts';
import { documentRef, readAllLines } from '#lib/trade/document/lines.ts';
import { holdCause } from '#lib/trade/hold/lines.ts';
import { HoldLine, holds, type OpenHold } from '#lib/trade/hold/record.ts';
import { priceLines } from '#lib/trade/pricing/lines.ts';
import type { Offers, PricedLine } from '#lib/trade/pricing/price.ts';
import type { SaleInput } from '#lib/trade/sale/input.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import type { SaleContext } from '#lib/trade/sale/sale-context.ts';
import type { ErrorCode } from '#lib/values/message.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';

/** Hold that a sale closes, with its lines. */
export interface RedeemedHold {
  readonly hold: OpenHold;
  readonly lines: readonly HoldLine[];
}

/** Hold that a sale names: one to close, or the issue that prevents it. */
export interface NamedHold {
  readonly redeemed?: RedeemedHold;
  readonly holdIssue?: ErrorCode | undefined;
}

/** Lines read together with their hold, before their number is known: one item. */
const EARLY = 100;

/**
 * Reads the hold that a sale is to close, and its lines; the issue of one that does not exist, is closed, or
 * is in another warehouse. The lines may be older than the hold, so `requireSameLines` reads them again, in
 * parallel with the next reads. One round trip, two over a hundred lines. Contract 9.1.
 */
export async function readRedeemed(
  actor: Staff,
  { hold_id, stock_id }: Pick<SaleInput, 'stock_id'> & { readonly hold_id: number },
): Promise<NamedHold> {
  const place = documentRef(holds, actor.tenant, hold_id);
  const [hold, early] = await Promise.all([
    findDocument(holds, actor, hold_id),
    readLinesBetween(HoldLine, place, { from: 0, to: EARLY }),
  ]);
  const holdIssue = issueOfHold(hold, stock_id);
  if (!hold || holdIssue) return { holdIssue };
  const lines = hold.products_count > EARLY ? await readAllLines(holds, actor.tenant, hold) : early;
  return { redeemed: { hold, lines } };
}

/** Returns the issue of a hold that a sale in this warehouse cannot close. Contract 9.1. */
export function issueOfHold(
  hold: Pick<OpenHold, 'status' | 'stock_id'> | undefined,
  stockId: number,
): ErrorCode | undefined {
  if (!hold) return 'validation.not_found';
  if (hold.status !== 'in_progress') return 'hold.not_in_progress';
  return hold.stock_id === stockId ? undefined : 'hold.other_place';
}

/** Requires that a hold still has the lines that were read with it; else throws `Contention`. */
export async function requireSameLines(tenant: Tenant, redeemed: RedeemedHold): Promise<void> {
  const lines = await readAllLines(holds, tenant, redeemed.hold);
  if (!isDeepStrictEqual(lines, redeemed.lines)) throw new Contention();
}

/** Validates that a hold belongs to the desk's company. Contract 9.1. */
export function checkHoldCompany(
  { hold }: RedeemedHold,
  { desk }: Pick<SaleContext, 'desk'>,
  issues: ValidationIssues,
): void {
  if (hold.company_id !== desk.company_id) issues.unless('cashbox_id').add('hold_id', 'hold.other_place');
}

/** Returns a hold's goods to stock, for the sale to take them first. */
export function releaseHoldGoods(
  stockLevels: StockLevels,
  { hold, lines }: RedeemedHold,
  { actor, at }: { readonly actor: Staff; readonly at: number },
): void {
  const cause = holdCause(hold, actor, at);
  for (const { id, product_id, batches } of lines) {
    stockLevels.putAside(product_id, batches, { ...cause, lineId: id });
  }
}

/** Prices the goods of a sale; those of a hold sold whole have its prices. Contract 9.1. */
export function priceGoods(
  sale: SaleInput,
  redeemed: RedeemedHold | undefined,
  offers: Offers,
  issues: ValidationIssues,
): PricedLine[] {
  if (sale.hold_id === null) return priceLines(sale, offers, issues);
  const isWhole = sale.products.length + sale.bundles.length === 0;
  if (isWhole) return redeemed ? redeemed.lines.map(lineAsPromised) : [];
  return priceLines(sale, offers, redeemed ? issues.unless('hold_id') : issues);
}

function lineAsPromised({ id: _, quantity, batches: __, product: ___, ...line }: HoldLine): PricedLine {
  const paths = { pricePath: 'hold_id', quantityPath: 'hold_id' };
  return { ...line, sold_quantity: quantity, discount: 0, ...paths };
}

/** Builds the writes that close a hold by its sale. */
export function redemptionWrites(tenant: Tenant, redeemed: RedeemedHold, sale: Sale): Write[] {
  const { id: sale_id, creator_id: updater_id, created_at: updated_at } = sale;
  const closed = { status: 'completed', sale_id, updater_id, updated_at } as const;
  return documentReplacement(holds, tenant, redeemed.hold, { ...redeemed.hold, ...closed });
}
