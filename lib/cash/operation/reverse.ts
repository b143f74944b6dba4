import { makerOf, type Staff } from '#lib/access/actor.ts';

import { type Answered, requireAt, showPosted, writesAt } from '#lib/cash/posting/at-desk.ts';
import { deskPostings, POSTING } from '#lib/cash/posting/record.ts';
import { documentReplacement } from '#lib/records/documents.ts';
import type { Write } from '#lib/table/change/write.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { oppositeOf } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { readPosting, readToUndo } from './undo.ts';

/**
 * Reverses a manual income or expense by a posting of the same amount, the other way: both stay, and both
 * count in a shift, but not in the day. 404 for a posting at a desk that is not open to the caller; 400 for
 * any that can't be reversed, and for an income that is spent. Part 3, "Cash operations"; Decisions, 9 (37).
 */
export async function reverse(
  actor: Staff,
  id: number,
  at: Instant,
  remember: (reversal: Answered) => Write[],
): Promise<Answered> {
  const { home } = actor;
  return retryOnContention(async () => {
    const [firstId, read] = await Promise.all([nextId(POSTING, home), readPosting(actor, id)]);
    const { posting: before, desk } = await readToUndo(actor, read);
    const { payment_type, currency, amount, source_type, source_id } = before;
    const moved = { type: oppositeOf(before), payment_type, currency, amount };
    const source = { source_type, source_id, reverses: before, ...makerOf(actor), comment: null, at };
    const made = requireAt(desk, [moved], { ...source, firstId });
    const after = { ...before, is_returned: true, reversal_id: firstId, updated_at: at };
    const [answer] = showPosted(made);
    if (!answer) throw new Error(`Posting ${id} has no reversal`);
    await transact([
      ...writesAt(home, made),
      ...documentReplacement(deskPostings, home, before, after),
      ...remember(answer),
    ]);
    return answer;
  });
}
