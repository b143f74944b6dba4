import * as z from 'zod';
import { makerOf, requireRight, type Staff } from '#lib/auth/actor.ts';
import * as desks from '#lib/cash/desk/desk.ts';
import { type DeskMoney, deskMoneyWrite } from '#lib/cash/desk/money.ts';
import { confirmMove, type PastMove } from '#lib/cash/desk/movement.ts';
import { type DeskState, type DeskWithRecord, deskIn, deskKeys, deskOf } from '#lib/cash/desk/read.ts';
import { type Cancellation, cancellationWrites, drawCancellationIds } from '#lib/cash/posting/cancel.ts';
import { type PostingResult, postOrRefuse, writesAt } from '#lib/cash/posting/make.ts';
import { deskPostings, POSTING, type StoredPosting } from '#lib/cash/posting/record.ts';
import { documentReplacement, getDocument, getDocumentToChange } from '#lib/records/documents.ts';
import { BALANCE_TOO_LARGE } from '#lib/records/links/counters.ts';
import { parseRecord } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { badRequest, forbidden } from '#lib/values/api-error.ts';
import { optionalText } from '#lib/values/fields.ts';
import { amount, Currency, nameOf, PaymentType, requireDistinctKinds } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { type Collection, collections, type StoredCollection } from './record.ts';

/** Right to confirm a collection of which other money was counted than was sent. Part 5, 5A.5 (4). */
const COUNT_DIFFERENCE = 'company.cashbox.operation.collection.difference';

/** Input to confirm a collection: the counted money; kinds that it does not name are as sent. */
export const CountedInput = z.object({
  items: requireDistinctKinds(
    z.array(z.object({ payment_type: PaymentType, currency: Currency, amount: amount(0) })).max(20),
  ).default([]),
  comment: optionalText(1000),
});

type CountedInput = z.output<typeof CountedInput>;

/**
 * Confirms a collection: its money is posted to the main desk and no longer on hold; differences of the
 * counted money are posted after it. 404 if neither desk is open to the caller, 403 if the main desk is not,
 * and for a difference without the right; 400 if it is not on hold, or if its receiving desk is no longer the
 * main one; 422 with all failing fields. Contract 2, "Collection"; Part 5, 5A.5 (4).
 */
export async function confirm(
  actor: Staff,
  { id, ...input }: CountedInput & { readonly id: number },
  at: Instant,
  saveResponse: (collection: z.input<typeof Collection>) => Write[],
): Promise<z.input<typeof Collection>> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const collection = requireOnHold(await getDocumentToChange(collections, actor, id));
    const differences = differencesOf(collection, input);
    const [{ desk, main: receiver, postings }, firstId] = await Promise.all([
      readCollected(actor, collection),
      nextId(POSTING, tenant, collection.posting_ids.length + differences.length),
    ]);
    const main = requireReceiver(receiver, desk);
    checkCounted(actor, input, { collection, differences });
    const received = receive(actor, main, { collection, postings, differences, ...input, at, firstId });
    const completed = { status: 'completed', updated_at: at } as const;
    const ids = received.postings.map((posting) => posting.id);
    const [received_ids, difference_ids] = [ids.slice(0, postings.length), ids.slice(postings.length)];
    const differing = differences.length > 0 && { differences, difference_ids };
    const after = { ...collection, ...completed, received_by_id: actor.id, received_ids, ...differing };
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

/** Computes the differences of the counted from the sent money, by kind: below zero if short. */
function differencesOf({ items }: StoredCollection, counted: CountedInput): StoredCollection['items'] {
  const byKind = new Map(counted.items.map((item) => [nameOf(item), item.amount]));
  return items.flatMap((item) => {
    const amount = (byKind.get(nameOf(item)) ?? item.amount) - item.amount;
    return amount === 0 ? [] : [{ ...item, amount }];
  });
}

/** Validates the counted money. 403 for a difference without the right, 422 with all failing fields. */
function checkCounted(
  actor: Staff,
  { items, comment }: CountedInput,
  { collection, differences }: Pick<Receipt, 'collection' | 'differences'>,
): void {
  if (differences.length > 0) requireRight(actor, COUNT_DIFFERENCE);
  const issues = new ValidationIssues();
  const sent = new Set(collection.items.map(nameOf));
  for (const [index, item] of items.entries()) {
    if (!sent.has(nameOf(item))) issues.add(`items.${index}.payment_type`, 'collection.not_sent');
  }
  if (differences.length > 0 && comment === null) issues.add('comment', 'validation.required');
  issues.throwIfAny();
}

/** Money of a collection as it arrives at the main desk. */
interface Receipt extends Pick<CountedInput, 'comment'> {
  readonly collection: StoredCollection;
  readonly postings: readonly StoredPosting[];
  readonly differences: StoredCollection['items'];
  readonly at: Instant;
  readonly firstId: number;
}

/** Posts the sent money to the main desk, then the differences. 400 if the desk would have too much. */
function receive(
  actor: Staff,
  main: DeskWithRecord,
  { collection, postings, differences, comment, at, firstId }: Receipt,
): PostingResult<DeskWithRecord> {
  const { id, code } = collection;
  const context = { source_id: id, ...makerOf(actor), at, source_data: { collection_id: id, code } };
  const incomes = postings.map(({ payment_type, currency, amount }) => {
    return { type: 'income', payment_type, currency, amount } as const;
  });
  const sent = { source_type: 'collection', comment: collection.comment, firstId } as const;
  const received = postOrRefuse(main, incomes, { ...context, ...sent });
  const moves = differences.map(
    ({ amount, ...kind }) =>
      ({ ...kind, type: amount < 0 ? 'outcome' : 'income', amount: Math.abs(amount) }) as const,
  );
  const counted = {
    source_type: 'collection_difference',
    comment,
    firstId: firstId + incomes.length,
  } as const;
  const differing = postOrRefuse({ ...main, money: received.money }, moves, { ...context, ...counted });
  return { ...differing, desk: main, postings: [...received.postings, ...differing.postings] };
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
