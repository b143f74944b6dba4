import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { cancelCollection } from '#lib/cash/collection/end.ts';
import { requireShift } from '#lib/cash/desk/read.ts';
import { cancellationWrites, drawCancellationIds } from '#lib/cash/posting/cancel.ts';
import type { PostingWithDesk } from '#lib/cash/posting/make.ts';
import { deskPostings, POSTING, type StoredPosting } from '#lib/cash/posting/record.ts';
import { postReversal, readDeskOf } from '#lib/cash/posting/reverse.ts';
import { requireOpenBooks } from '#lib/people/company/closed-books.ts';
import { getDocumentToChange } from '#lib/records/documents.ts';
import type { Stored } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { text } from '#lib/values/fields.ts';
import type { Instant } from '#lib/values/time.ts';

/** Input to cancel an operation. */
export const CancelInput = z.object({ cancel_comment: text(1000) });

type CancelInput = z.output<typeof CancelInput> & { readonly id: number };

/**
 * Cancels a manual income or expense, or a whole collection by any of its postings: the money returns, and
 * the postings no longer count. 404 for a posting at a desk not open to the caller; 400 for one that cannot
 * be canceled, for an income already spent, and as in `requireOpenBooks`. Part 3, "Cash operations"; Contract
 * 9.36; Part 5, 5A.9, 1.
 */
export function cancelOperation(
  actor: Staff,
  { id, cancel_comment }: CancelInput,
  at: Instant,
  saveResponse: () => Write[],
): Promise<void> {
  const { tenant } = actor;
  const cancellation = { comment: cancel_comment, by: actor.id, at };
  return retryOnContention(async () => {
    const posting = await getDocumentToChange(deskPostings, actor, id);
    if (posting.source_type === 'collection') {
      return cancelCollection(actor, posting.source_id, cancellation, saveResponse);
    }
    requireManual(posting);
    const booksOpen = requireOpenBooks(actor, posting.created_at, at);
    const [desk, firstId] = await Promise.all([
      readDeskToUndo(actor, posting),
      drawCancellationIds(tenant, 1),
    ]);
    await transact([
      ...cancellationWrites(tenant, desk, [posting], { ...cancellation, firstId }),
      ...booksOpen,
      ...saveResponse(),
    ]);
  });
}

/**
 * Reverses a manual income or expense by an opposite posting of the same amount: both stay, and count in a
 * shift, but not in the day. 404 for a posting at a desk not open to the caller; 400 for one that cannot be
 * reversed, and for an income already spent. Part 3, "Cash operations"; Contract 9.37.
 */
export async function reverse(
  actor: Staff,
  id: number,
  at: Instant,
  saveResponse: (reversal: PostingWithDesk) => Write[],
): Promise<PostingWithDesk> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const [firstId, before] = await Promise.all([
      nextId(POSTING, tenant),
      getDocumentToChange(deskPostings, actor, id),
    ]);
    requireManual(before);
    const desk = await readDeskToUndo(actor, before);
    const { posting, writes } = postReversal(actor, desk, before, { firstId, comment: null, at });
    await transact([...writes, ...saveResponse(posting)]);
    return posting;
  });
}

/**
 * Reads the desk of a manual income or expense to be undone. 400 if its shift is closed, if its desk is gone
 * or moved to another company, and without the open shift that the desk needs. One round trip. Part 3, "Cash
 * operations".
 */
async function readDeskToUndo(actor: Staff, posting: Stored<typeof deskPostings.schema>) {
  const { shift_id = null } = posting;
  const desk = await readDeskOf(actor, posting);
  if (shift_id !== null && shift_id !== desk.money.shift?.id) throw badRequest('operation.shift_closed');
  await requireShift(actor, desk);
  return desk;
}

function requireManual({ source_type, status, is_returned, reversal_of_id = null }: StoredPosting): void {
  if (source_type !== 'reason') throw badRequest('operation.not_manual');
  if (reversal_of_id !== null) throw badRequest('operation.is_reversal');
  if (status === 'canceled') throw badRequest('operation.already_canceled');
  if (is_returned) throw badRequest('operation.already_returned');
}
