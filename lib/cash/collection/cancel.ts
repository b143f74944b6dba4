import type { Staff } from '#lib/access/actor.ts';
import { type DeskMoney, deskMoneyWrite } from '#lib/cash/desk/money.ts';
import { type Cancellation, cancelPosting } from '#lib/cash/posting/cancel.ts';
import { documentReplacement, getDocument } from '#lib/records/documents.ts';
import type { Write } from '#lib/table/change/write.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { readCollected, requireOnHold } from './on-hold.ts';
import { collections } from './record.ts';

/**
 * Cancels a collection: its money comes back to its desk, where an open shift counts it, as it came after
 * whatever shift it was taken in. 400 if it is not on hold. Part 3, "Cash operations".
 */
export async function cancelCollection(
  actor: Staff,
  id: number,
  cancellation: Cancellation,
  remember: () => Write[],
): Promise<void> {
  const { home } = actor;
  const { comment, at } = cancellation;
  const collection = requireOnHold(await getDocument(collections, actor, id));
  const { desk, postings } = await readCollected(actor, collection);
  let money: DeskMoney = desk.money;
  const writes: Write[] = [];
  for (const posting of postings) {
    const canceled = cancelPosting(home, posting, money, cancellation);
    money = canceled.money;
    writes.push(...canceled.writes);
  }
  const canceled = { status: 'canceled', cancel_comment: comment, updated_at: at } as const;
  await transact([
    ...documentReplacement(collections, home, collection, { ...collection, ...canceled }),
    ...writes,
    deskMoneyWrite(home, desk, desk.money, money),
    ...remember(),
  ]);
}
