import type { Staff } from '#lib/access/actor.ts';
import { makerOf } from '#lib/access/impersonation.ts';
import { deskMoneyWrite } from '#lib/cash/desk/money.ts';
import { atDesk } from '#lib/cash/desk/read.ts';
import { postAll, postingWrites, stuck } from '#lib/cash/posting/make.ts';
import { deskPostings, POSTING } from '#lib/cash/posting/record.ts';
import { documentReplacement } from '#lib/records/documents.ts';
import type { Write } from '#lib/table/change/write.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { oppositeOf } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import type { Answered } from './answer.ts';
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
  const maker = makerOf(actor);
  return retryOnContention(async () => {
    const [reversalId, read] = await Promise.all([nextId(POSTING, home), readPosting(actor, id)]);
    const { posting: before, desk } = await readToUndo(actor, read);
    const { payment_type, currency, amount, source_type, source_id } = before;
    const moved = { type: oppositeOf(before), payment_type, currency, amount };
    const source = { source_type, source_id, reverses: before };
    const occasion = { ...atDesk(desk), ...source, ...maker, comment: null, at };
    const made = postAll(desk.money, [moved], occasion, reversalId);
    const [reversal] = made?.postings ?? [];
    if (!made || !reversal) throw stuck(desk.money, moved);

    const after = { ...before, is_returned: true, reversal_id: reversalId, updated_at: at };
    const answer = { ...reversal, cashbox: desk.record };
    await transact([
      deskMoneyWrite(home, desk, desk.money, made.money),
      ...documentReplacement(deskPostings, home, before, after),
      ...postingWrites(home, made.postings),
      ...remember(answer),
    ]);
    return answer;
  });
}
