import { isDeepStrictEqual } from 'node:util';
import type { Staff } from '#lib/auth/actor.ts';
import { documentReplacement, findDocument } from '#lib/records/documents.ts';
import { readLinesBetween } from '#lib/records/lines.ts';
import type { StockLevels } from '#lib/stock/stock-levels.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { Contention } from '#lib/table/transaction/transact.ts';
import { documentRef, readAllLines } from '#lib/trade/document/lines.ts';
import { holdCause, type OpenHold } from '#lib/trade/hold/change.ts';
import { HoldLine, holds } from '#lib/trade/hold/record.ts';
import { priceLines } from '#lib/trade/pricing/lines.ts';
import type { Offers, PricedLine } from '#lib/trade/pricing/price.ts';
import type { SaleInput } from '#lib/trade/sale/input.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import type { SaleContext } from '#lib/trade/sale/sale-context.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';

/** A hold that a sale closes, with its lines. */
export interface RedeemedHold {
  readonly hold: OpenHold;
  readonly lines: readonly HoldLine[];
}

/** Lines that are read together with their hold, before anybody knows how many it has: one item. */
const EARLY = 100;

/**
 * Reads the hold that a sale is to close, and its lines beside it. A hold that is not there, is closed, or is
 * of another warehouse goes to `problems`. The lines may be older than the hold, so
 * `requireSameLines` reads them again, beside the next reads. One round trip, two over a hundred lines.
 * Contract 9.1.
 */
export async function readRedeemed(
  actor: Staff,
  { hold_id, stock_id }: Pick<SaleInput, 'stock_id'> & { readonly hold_id: number },
  issues: ValidationIssues,
): Promise<RedeemedHold | undefined> {
  const place = documentRef(holds, actor.tenant, hold_id);
  const [hold, early] = await Promise.all([
    findDocument(holds, actor, hold_id),
    readLinesBetween(HoldLine, place, { from: 0, to: EARLY }),
  ]);
  if (!hold) issues.add('hold_id', 'validation.not_found');
  else if (hold.status !== 'in_progress') issues.add('hold_id', 'hold.not_in_progress');
  else if (hold.stock_id !== stock_id) issues.add('hold_id', 'hold.other_place');
  else
    return {
      hold,
      lines: hold.products_count > EARLY ? await readAllLines(holds, actor.tenant, hold) : early,
    };
  return undefined;
}

/** Requires that a hold has the lines that were read with it; `Contention` if it has others. */
export async function requireSameLines(tenant: Tenant, redeemed: RedeemedHold): Promise<void> {
  const lines = await readAllLines(holds, tenant, redeemed.hold);
  if (!isDeepStrictEqual(lines, redeemed.lines)) throw new Contention();
}

/** Checks that a hold is of the desk's company. Contract 9.1. */
export function checkTerms(
  { hold }: RedeemedHold,
  { desk }: Pick<SaleContext, 'desk'>,
  issues: ValidationIssues,
): void {
  if (hold.company_id !== desk.company_id) issues.unless('cashbox_id').add('hold_id', 'hold.other_place');
}

/** Puts a hold's goods back on the shelves, for the sale to take them first. */
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

/**
 * Prices the goods of a sale; those of a hold that is sold whole are as it promised them. Contract 9.1.
 */
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

/** Builds the writes by which a sale closes a hold. */
export function redemptionWrites(tenant: Tenant, redeemed: RedeemedHold, sale: Sale): Write[] {
  const { id: sale_id, creator_id: updater_id, created_at: updated_at } = sale;
  const closed = { status: 'completed', sale_id, updater_id, updated_at } as const;
  return documentReplacement(holds, tenant, redeemed.hold, { ...redeemed.hold, ...closed });
}
