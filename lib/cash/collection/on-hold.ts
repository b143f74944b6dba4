import type { Staff } from '#lib/access/actor.ts';
import * as desks from '#lib/cash/desk/desk.ts';
import { deskIn, deskKeys, deskOf } from '#lib/cash/desk/read.ts';
import { deskPostings, POSTING } from '#lib/cash/posting/record.ts';
import { vouchRecord } from '#lib/records/stored.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { refuse } from '#lib/values/refusal.ts';
import type { StoredCollection } from './record.ts';

/** Requires a collection to be on hold: 400 if it is not any more. */
export function requireOnHold<C extends StoredCollection>(collection: C): C {
  if (collection.status !== 'on_hold') throw refuse('collection.not_on_hold');
  return collection;
}

/**
 * Reads the postings of a collection that is on hold, and both its desks; the main desk is undefined if it
 * is not open to the caller. One round trip.
 */
export async function readCollected(
  actor: Staff,
  { cashbox_id, main_cashbox_id, posting_ids }: StoredCollection,
) {
  const { home } = actor;
  const [deskItem, deskMoney, mainItem, mainMoney, ...postings] = await getItems([
    ...deskKeys(actor, cashbox_id),
    ...deskKeys(actor, main_cashbox_id),
    ...posting_ids.map((posting) => recordKey(POSTING, home, posting)),
  ]);
  return {
    // With money on hold it is neither deleted nor given to another company.
    desk: deskOf(vouchRecord(desks.Desk, deskItem), deskMoney),
    main: deskIn(actor, [mainItem, mainMoney]),
    postings: postings.map((posting) => vouchRecord(deskPostings.schema, posting)),
  };
}
