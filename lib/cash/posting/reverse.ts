import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { type DeskWithRecord, deskIn, deskKeys, requireShift } from '#lib/cash/desk/read.ts';
import { documentReplacement } from '#lib/records/documents.ts';
import { parseRecord, type Stored } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { oppositeOf } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { type PostingWithDesk, postOrRefuse, showPosted, writesAt } from './make.ts';
import { deskPostings, POSTING } from './record.ts';

/** Posting being reversed, as read. */
type Reversed = Stored<typeof deskPostings.schema>;

/**
 * Reads the desk that a posting's money goes back at. 400 if it is gone, not open to the caller or another
 * company's now. One round trip.
 */
export async function readDeskOf(
  actor: Staff,
  { cashbox_id, company_id }: Pick<Reversed, 'cashbox_id' | 'company_id'>,
): Promise<DeskWithRecord> {
  const desk = deskIn(actor, await getItems(deskKeys(actor, cashbox_id)));
  if (desk?.company_id !== company_id) throw badRequest('operation.cashbox_gone');
  return desk;
}

/** Money of a document: its posting, and the desk and company of that. */
interface PostedMoney extends Pick<Reversed, 'cashbox_id' | 'company_id'> {
  readonly transfer_id: number;
}

/**
 * Reads the posting of a document's money and its desk, and takes the money back there, as `postReversal`
 * does. 400 without the open shift that the desk needs, and as `readDeskOf`. Two round trips. Part 5, 5.0, 3.
 */
export async function reverseMoney(
  actor: Staff,
  { transfer_id, ...place }: PostedMoney,
  occasion: Omit<ReversalOccasion, 'firstId'>,
): Promise<ReversedMoney> {
  const [firstId, desk, item] = await Promise.all([
    nextId(POSTING, actor.tenant),
    readDeskOf(actor, place),
    getItem(recordKey(POSTING, actor.tenant, transfer_id)),
  ]);
  await requireShift(actor, desk);
  return postReversal(actor, desk, parseRecord(deskPostings.schema, item), { ...occasion, firstId });
}

/** Opposite posting, and all writes of a reversal. */
interface ReversedMoney {
  readonly posting: PostingWithDesk;
  readonly writes: Write[];
}

/** Occasion of a reversal: `firstId` is the id of its posting. */
export interface ReversalOccasion {
  readonly firstId: number;
  readonly comment: string | null;
  readonly at: Instant;
}

/**
 * Takes the money of a posting back at its own desk, in the shift of now: returns the opposite posting and
 * all writes. Both stay, each with the other's id. The caller has required the shift that the desk needs.
 * 400 if the desk lacks the money or would have too much. Part 5, 5.0, 3.
 */
export function postReversal(
  actor: Staff,
  desk: DeskWithRecord,
  before: Reversed,
  occasion: ReversalOccasion,
): ReversedMoney {
  const { payment_type, currency, amount, source_type, source_id } = before;
  const moved = { type: oppositeOf(before), payment_type, currency, amount };
  const source = { source_type, source_id, reverses: before, ...makerOf(actor) };
  const made = postOrRefuse(desk, [moved], { ...source, ...occasion });
  const [posting] = showPosted(made);
  if (!posting) throw new Error(`Posting ${before.id} has no reversal`);
  const after = { ...before, is_returned: true, reversal_id: posting.id, updated_at: occasion.at };
  return {
    posting,
    writes: [
      ...writesAt(actor.tenant, made),
      ...documentReplacement(deskPostings, actor.tenant, before, after),
    ],
  };
}
