import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { cancelCollection } from '#lib/cash/collection/cancel.ts';
import { deskMoneyWrite } from '#lib/cash/desk/money.ts';
import { cancelPosting } from '#lib/cash/posting/cancel.ts';
import type { Write } from '#lib/table/change/write.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { text } from '#lib/values/fields.ts';
import type { Instant } from '#lib/values/time.ts';
import { readPosting, readToUndo } from './undo.ts';

/** Input to cancel an operation. */
export const CancelInput = z.object({ cancel_comment: text(1000) });

type CancelInput = z.output<typeof CancelInput> & { readonly id: number };

/**
 * Cancels a manual income or expense, or by any of its postings a whole collection: the money goes back, and
 * the postings don't count any more. 404 for a posting at a desk that is not open to the caller; 400 for
 * any that can't be canceled, and for an income that is spent. Part 3, "Cash operations"; Decisions, 9 (36).
 */
export function cancelOperation(
  actor: Staff,
  { id, cancel_comment }: CancelInput,
  at: Instant,
  remember: () => Write[],
): Promise<void> {
  const { home } = actor;
  const cancellation = { comment: cancel_comment, by: actor.id, at };
  return retryOnContention(async () => {
    const read = await readPosting(actor, id);
    if (read.source_type === 'collection') {
      return cancelCollection(actor, read.source_id, cancellation, remember);
    }
    const { posting, desk } = await readToUndo(actor, read);
    const { money, writes } = cancelPosting(home, posting, desk.money, cancellation);
    await transact([deskMoneyWrite(home, desk, desk.money, money), ...writes, ...remember()]);
  });
}
