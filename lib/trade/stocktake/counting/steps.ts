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
 * A position is two writes, its balance and its line. A transaction takes a hundred: the document and the
 * kept answer are among them.
 */
const POSITIONS = 48;

/** Positions of a transaction, which may be of 4 MB; what is kept beside a balance counts too. */
const BYTES = 1_500_000;

/** Quantities stay exact as numbers up to this sum. */
const MAX_UNITS = Number.MAX_SAFE_INTEGER;

/** Positions that one call may count or take out. */
export const MAX_POSITIONS_PER_CALL = 100;

/** When a call is made, and what keeps its answer. */
export interface CountingContext {
  readonly at: Instant;
  readonly saveResponse: () => Write[];
}

/** What becomes of one position: its writes, and what it changes in the totals of the count. */
export interface PositionChange {
  readonly writes: readonly Write[];
  readonly change: Totals;
  readonly bytes: number;
  readonly kind?: ProductTraits | undefined;
}

/**
 * Makes the steps that are decided on, as many in a transaction as it takes; the last keeps the answer. If
 * somebody else is faster, all are decided anew on what there is then. 412 if the version differs, checked
 * before the first transaction only: later ones see this call's own change. 422 if a sum of the count would
 * be too large.
 */
export function writeInSteps(
  actor: Staff,
  id: number,
  { at, saveResponse }: CountingContext,
  decide: (
    read: typeof getDocument,
  ) => Promise<{ readonly count: StoredStocktake; readonly steps: readonly PositionChange[] }>,
): Promise<void> {
  let isBegun = false;
  const changed = { changed_impersonator_id: null, ...modifierFields(makerOf(actor)) };
  return retryOnContention(async () => {
    const { count, steps } = await decide(isBegun ? getDocument : getDocumentToChange);
    requireRoom(count, changeBy(steps));
    if (steps.length === 0) return transact(saveResponse());
    const chunks = splitBySize(steps, { count: POSITIONS, size: BYTES }, ({ bytes }) => bytes);
    for (const [index, chunk] of chunks.entries()) {
      const { set, add, bounds } = tallyOf(count, chunk);
      const seen = isBegun ? undefined : versionCondition();
      const tally = update(
        recordKey(stocktakes.type, actor.tenant, id),
        { set: { ...set, ...changed, updater_id: actor.id, updated_at: at }, add: { ...add, version: 1 } },
        { if: all([isOwnerActive, ...bounds, ...(seen ? [seen.if] : [])]) },
      );
      const kept = index === chunks.length - 1 ? saveResponse() : [];
      await transact([...chunk.flatMap(({ writes }) => writes), tally, ...kept]);
      isBegun = true;
    }
  });
}

/** Adds up what steps change in the document: its new categories and brands, its sums, and their bounds. */
function tallyOf(count: StoredStocktake, steps: readonly PositionChange[]) {
  const changes = Object.entries(changeBy(steps)).filter(([, change]) => change !== 0);
  const room = changes.filter(([, change]) => change > 0);
  const news = steps.flatMap(({ kind }) => (kind ? newNames(count, kind) : []));
  return {
    set: Object.fromEntries(news.map((name) => [name, true])),
    add: Object.fromEntries(changes),
    bounds: room.map(([name, change]) => lessThan(name, mostOf(name) - change + 1)),
  };
}

/** Names the fields of a count that say of which category and brand goods are, if it lacks them yet. */
function newNames(
  { category_ids, brand_ids }: StoredStocktake,
  { category_id, brand_id }: ProductTraits,
): string[] {
  return [
    ...(category_ids[category_id] ? [] : [`category_ids.${category_id}`]),
    ...(brand_id === null || brand_ids[brand_id] ? [] : [`brand_ids.${brand_id}`]),
  ];
}

/** Requires that a count can take what is added to it. 422 otherwise. */
function requireRoom(count: StoredStocktake, change: Totals): void {
  const after = totals((name) => count[name] + change[name]);
  if (change.products_count > 0 && after.products_count > MAX_POSITIONS) {
    throw invalid({ products_tmp: { key: 'inventory.too_many_positions', with: { max: MAX_POSITIONS } } });
  }
  for (const [name, sum] of Object.entries(after)) {
    if (sum <= mostOf(name)) continue;
    const max = { key: 'validation.too_large', with: { max: Math.floor(MAX_UNITS / ONE) } } as const;
    throw invalid({ products_tmp: isAmount(name) ? BALANCE_TOO_LARGE : max });
  }
}

function mostOf(name: string): number {
  if (name === 'products_count') return MAX_POSITIONS;
  return isAmount(name) ? MAX_AMOUNT : MAX_UNITS;
}

function isAmount(name: string): boolean {
  return /^(above|below)_/.test(name);
}

function changeBy(steps: readonly PositionChange[]): Totals {
  return totals((name) => steps.reduce((sum, { change }) => sum + change[name], 0));
}
