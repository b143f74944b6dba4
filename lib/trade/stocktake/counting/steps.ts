import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { getDocument, getDocumentToChange } from '#lib/records/documents.ts';
import { modifierFields } from '#lib/records/last-modified.ts';
import { BALANCE_TOO_LARGE } from '#lib/records/links/counters.ts';
import { versionCondition } from '#lib/records/precondition.ts';
import { update, type Write } from '#lib/table/change/write.ts';
import { all, lessThan } from '#lib/table/expression.ts';
import { isOwnerActive } from '#lib/table/journal/standing-lock.ts';
import { recordKey } from '#lib/table/keys.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import type { ProductTraits } from '#lib/trade/stocktake/goods.ts';
import { MAX_POSITIONS } from '#lib/trade/stocktake/positions.ts';
import { type StoredStocktake, stocktakes } from '#lib/trade/stocktake/record.ts';
import { type Totals, totals } from '#lib/trade/stocktake/totals.ts';
import { invalid } from '#lib/values/api-error.ts';
import { splitBySize } from '#lib/values/concurrency.ts';
import { MAX_AMOUNT } from '#lib/values/money.ts';
import { ONE } from '#lib/values/quantity.ts';
import type { Instant } from '#lib/values/time.ts';

/**
 * Positions per transaction: each is two writes, stock level and line, of a hundred, which include the
 * document and the saved response.
 */
const MAX_CHUNK_POSITIONS = 48;

/** Bytes per transaction, limited to 4 MB; data stored with a stock level counts too. */
const MAX_CHUNK_BYTES = 1_500_000;

/** Limit of quantity sums, up to which numbers are exact. */
const MAX_UNITS = Number.MAX_SAFE_INTEGER;

/** Limit of positions that a call may count or exclude. */
export const MAX_POSITIONS_PER_CALL = 100;

/** Time of a call, and the writes that save its response. */
export interface CountingContext {
  readonly at: Instant;
  readonly saveResponse: () => Write[];
}

/** Change of one position: its writes, and its effect on the totals of the stocktake. */
export interface PositionChange {
  readonly writes: readonly Write[];
  readonly change: Totals;
  readonly bytes: number;
  readonly kind?: ProductTraits | undefined;
}

/**
 * Writes the decided steps in as few transactions as possible; the last one saves the response. On contention
 * all steps are decided again from the present state. 412 if the version differs, checked before the first
 * transaction only: later ones follow this call's own changes. 422 if a sum of the stocktake would exceed its
 * limit.
 */
export function writeInSteps(
  actor: Staff,
  id: number,
  { at, saveResponse }: CountingContext,
  decide: (
    read: typeof getDocument,
  ) => Promise<{ readonly count: StoredStocktake; readonly steps: readonly PositionChange[] }>,
): Promise<void> {
  let hasWritten = false;
  const changed = { changed_impersonator_id: null, ...modifierFields(makerOf(actor)) };
  return retryOnContention(async () => {
    const { count, steps } = await decide(hasWritten ? getDocument : getDocumentToChange);
    requireRoom(count, changeBy(steps));
    if (steps.length === 0) return transact(saveResponse());
    const chunks = splitBySize(
      steps,
      { count: MAX_CHUNK_POSITIONS, size: MAX_CHUNK_BYTES },
      ({ bytes }) => bytes,
    );
    for (const [index, chunk] of chunks.entries()) {
      const { set, add, bounds } = tallyOf(count, chunk);
      const version = hasWritten ? undefined : versionCondition();
      const tally = update(
        recordKey(stocktakes.type, actor.tenant, id),
        { set: { ...set, ...changed, updater_id: actor.id, updated_at: at }, add: { ...add, version: 1 } },
        { if: all([isOwnerActive, ...bounds, ...(version ? [version.if] : [])]) },
      );
      const savedResponse = index === chunks.length - 1 ? saveResponse() : [];
      await transact([...chunk.flatMap(({ writes }) => writes), tally, ...savedResponse]);
      hasWritten = true;
    }
  });
}

/**
 * Sums the steps' changes of the document: new categories and brands, totals, and the conditions of their
 * limits.
 */
function tallyOf(count: StoredStocktake, steps: readonly PositionChange[]) {
  const changes = Object.entries(changeBy(steps)).filter(([, change]) => change !== 0);
  const room = changes.filter(([, change]) => change > 0);
  const newFields = steps.flatMap(({ kind }) => (kind ? newNames(count, kind) : []));
  return {
    set: Object.fromEntries(newFields.map((name) => [name, true])),
    add: Object.fromEntries(changes),
    bounds: room.map(([name, change]) => lessThan(name, limitOf(name) - change + 1)),
  };
}

/** Returns the document fields of the product's category and brand that are not set yet. */
function newNames(
  { category_ids, brand_ids }: StoredStocktake,
  { category_id, brand_id }: ProductTraits,
): string[] {
  return [
    ...(category_ids[category_id] ? [] : [`category_ids.${category_id}`]),
    ...(brand_id === null || brand_ids[brand_id] ? [] : [`brand_ids.${brand_id}`]),
  ];
}

/** Requires that the totals stay within their limits. 422 otherwise. */
function requireRoom(count: StoredStocktake, change: Totals): void {
  const after = totals((name) => count[name] + change[name]);
  if (change.products_count > 0 && after.products_count > MAX_POSITIONS) {
    throw invalid({ products_tmp: { key: 'inventory.too_many_positions', with: { max: MAX_POSITIONS } } });
  }
  for (const [name, sum] of Object.entries(after)) {
    if (sum <= limitOf(name)) continue;
    const max = { key: 'validation.too_large', with: { max: Math.floor(MAX_UNITS / ONE) } } as const;
    throw invalid({ products_tmp: isAmount(name) ? BALANCE_TOO_LARGE : max });
  }
}

function limitOf(name: string): number {
  if (name === 'products_count') return MAX_POSITIONS;
  return isAmount(name) ? MAX_AMOUNT : MAX_UNITS;
}

function isAmount(name: string): boolean {
  return /^(above|below)_/.test(name);
}

function changeBy(steps: readonly PositionChange[]): Totals {
  return totals((name) => steps.reduce((sum, { change }) => sum + change[name], 0));
}
