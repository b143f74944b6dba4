import type { Staff } from '#lib/access/actor.ts';
import { makerOf } from '#lib/access/impersonation.ts';
import { documentReplacement, getDocumentToChange } from '#lib/records/documents.ts';
import { lineWrites, readLines } from '#lib/records/lines.ts';
import type { Stored } from '#lib/records/stored.ts';
import type { Cause } from '#lib/stock/movement.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Home, Place } from '#lib/table/keys.ts';
import type { Basis } from '#lib/trade/sale/basis.ts';
import { totalAmount } from '#lib/values/money.ts';
import type { Problems } from '#lib/values/problems.ts';
import { refuse } from '#lib/values/refusal.ts';
import type { Instant } from '#lib/values/time.ts';
import { HoldLine, holds } from './record.ts';

/** A hold as it was read, to be changed. */
export type OpenHold = Stored<typeof holds.schema>;

/**
 * Reads a hold in progress with its lines. 404 as for the hold itself, 400 if it is closed or canceled. Two
 * round trips.
 */
export async function readOpenHold(actor: Staff, id: number) {
  const hold = await getOpenHold(actor, id);
  return { hold, lines: await readHoldLines(actor.home, hold) };
}

/** Reads a hold in progress. 404 as for the hold itself, 400 if it is closed or canceled. One round trip. */
export async function getOpenHold(actor: Staff, id: number): Promise<OpenHold> {
  const hold = await getDocumentToChange(holds, actor, id);
  if (hold.status !== 'in_progress') throw refuse('hold.not_in_progress');
  return hold;
}

/** Reads the lines of a hold, which was read before them. One round trip. */
export function readHoldLines(home: Home, { id, products_count }: OpenHold): Promise<HoldLine[]> {
  return readLines(HoldLine, placeOf(home, id), products_count);
}

/** Gives a hold other lines. */
export function refill(
  hold: OpenHold,
  lines: readonly HoldLine[],
  { id, at }: { id: number; at: Instant },
): OpenHold {
  const contents = { amount: totalAmount(lines), products_count: lines.length };
  return { ...hold, ...contents, updater_id: id, updated_at: at };
}

/** Builds the writes that put a hold with its lines in the place of the one that was read. */
export function holdWrites(
  home: Home,
  before: OpenHold,
  after: OpenHold,
  lines: readonly HoldLine[],
): Write[] {
  return [
    ...documentReplacement(holds, home, before, after),
    ...lineWrites(placeOf(home, after.id), lines, before.products_count),
  ];
}

/**
 * Checks that a hold's prices are in the currency of sales at the desk: the company may have another one by
 * now.
 */
export function checkCurrency(
  { currency: held }: OpenHold,
  { pricing: { currency } }: Pick<Basis, 'pricing'>,
  path: string,
  problems: Problems,
): void {
  if (held === currency) return;
  problems.unless('cashbox_id').add(path, { key: 'hold.other_currency', with: { held, currency } });
}

/** Tells why goods move for a hold. */
export function causeOf(hold: { readonly id: number }, actor: Staff, at: Instant): Omit<Cause, 'lineId'> {
  return { document: 'hold', documentId: hold.id, by: makerOf(actor), at };
}

/** Tells the place of a hold and of what stands beside it. */
export function placeOf(home: Home, id: number): Place {
  return { type: holds.type, home, id };
}
