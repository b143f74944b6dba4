import type * as z from 'zod';
import { makerOf, type Staff } from '#lib/auth/actor.ts';
import * as desks from '#lib/cash/desk/desk.ts';
import { type DeskMoney, deskMoneyWrite } from '#lib/cash/desk/money.ts';
import { confirmMove, type PastMove } from '#lib/cash/desk/movement.ts';
import { type DeskState, type DeskWithRecord, deskIn, deskKeys, deskOf } from '#lib/cash/desk/read.ts';
import { type Cancellation, cancellationWrites, drawCancellationIds } from '#lib/cash/posting/cancel.ts';
import { postOrRefuse, writesAt } from '#lib/cash/posting/make.ts';
import { deskPostings, POSTING } from '#lib/cash/posting/record.ts';
import { documentReplacement, getDocument, getDocumentToChange } from '#lib/records/documents.ts';
import { BALANCE_TOO_LARGE } from '#lib/records/links/counters.ts';
import { parseRecord } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { badRequest, forbidden } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';
import { type Collection, collections, type StoredCollection } from './record.ts';

/**
 * Confirms a collection: its money is posted to the main desk and no longer on hold. 404 if neither desk is
 * open to the caller, 403 if the main desk is not; 400 if it is not on hold, or if its receiving desk is no
 * longer the main one. Contract 2, "Collection".
 */
export async function confirm(
  actor: Staff,
  id: number,
  at: Instant,
  saveResponse: (collection: z.input<typeof Collection>) => Write[],
): Promise<z.input<typeof Collection>> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const collection = requireOnHold(await getDocumentToChange(collections, actor, id));
    const [{ desk, main: receiver, postings }, firstId] = await Promise.all([
      readCollected(actor, collection),
      nextId(POSTING, tenant, collection.posting_ids.length),
    ]);
    const main = requireReceiver(receiver, desk);
    const source = { source_type: 'collection', source_id: id, ...makerOf(actor) } as const;
    const source_data = { collection_id: id, code: collection.code };
    const received = postOrRefuse(
      main,
      postings.map((outcome) => ({ ...outcome, type: 'income', source_data })),
      { ...source, comment: collection.comment, at, firstId },
    );
    const completed = { status: 'completed', updated_at: at } as const;
    const received_ids = received.postings.map((posting) => posting.id);
    const after = { ...collection, ...completed, received_by_id: actor.id, received_ids };
    const transactions_data = postings.map((before) => ({ ...before, ...completed }));
    const response = { ...after, cashbox: desk.record, transactions_data };
    const money = postings.reduce((sums, each) => confirmOne(sums, each, at), desk.money);
    await transact([
      ...documentReplacement(collections, tenant, collection, after),
      ...postings.flatMap((before) => {
        return documentReplacement(deskPostings, tenant, before, { ...before, ...completed });
      }),
      deskMoneyWrite(tenant, desk, money),
      ...writesAt(tenant, received),
      ...saveResponse(response),
    ]);
    return response;
  });
}

/** Confirms a posting on hold. 400 if a sum of its desk's day would exceed the limit. */
function confirmOne(money: DeskMoney, posting: PastMove, at: Instant): DeskMoney {
  const after = confirmMove(money, posting, at);
  if (!after) throw badRequest(BALANCE_TOO_LARGE.key, BALANCE_TOO_LARGE.with);
  return after;
}

function requireReceiver(main: DeskWithRecord | undefined, { company_id }: DeskState): DeskWithRecord {
  if (!main) throw forbidden('collection.not_receiver');
  if (main.type !== 'main' || main.company_id !== company_id) {
    throw badRequest('collection.main_cashbox_changed');
  }
  return main;
}

/**
 * Cancels a collection: its money returns to its desk and counts in the open shift, because it comes after
 * the shift of the collection. 400 if it is not on hold. Part 3, "Cash operations".
 */
export async function cancelCollection(
  actor: Staff,
  id: number,
  cancellation: Cancellation,
  saveResponse: () => Write[],
): Promise<void> {
  const { tenant } = actor;
  const { comment, at } = cancellation;
  const collection = requireOnHold(await getDocument(collections, actor, id));
  const [{ desk, postings }, firstId] = await Promise.all([
    readCollected(actor, collection),
    drawCancellationIds(tenant, collection.posting_ids.length),
  ]);
  const canceled = { status: 'canceled', cancel_comment: comment, updated_at: at } as const;
  await transact([
    ...documentReplacement(collections, tenant, collection, { ...collection, ...canceled }),
    ...cancellationWrites(tenant, desk, postings, { ...cancellation, firstId }),
    ...saveResponse(),
  ]);
}

/** Requires a collection on hold. 400 otherwise. */
function requireOnHold<C extends StoredCollection>(collection: C): C {
  if (collection.status !== 'on_hold') throw badRequest('collection.not_on_hold');
  return collection;
}

/**
 * Reads the postings and both desks of a collection on hold; the main desk is undefined if not open to the
 * caller. One round trip.
 */
async function readCollected(actor: Staff, { cashbox_id, main_cashbox_id, posting_ids }: StoredCollection) {
  const { tenant } = actor;
  const [deskItem, deskMoney, mainItem, mainMoney, ...postings] = await getItems([
    ...deskKeys(actor, cashbox_id),
    ...deskKeys(actor, main_cashbox_id),
    ...posting_ids.map((posting) => recordKey(POSTING, tenant, posting)),
  ]);
  return {
    // A desk with money on hold can be neither deleted nor moved to another company.
    desk: deskOf(parseRecord(desks.Desk, deskItem), deskMoney),
    main: deskIn(actor, [mainItem, mainMoney]),
    postings: postings.map((posting) => parseRecord(deskPostings.schema, posting)),
  };
}
