import type { Staff } from '#lib/access/actor.ts';
import type { Write } from '#lib/table/change/write.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { draftRemoval } from '#lib/trade/draft/record.ts';
import { promisesOf } from '#lib/trade/pricing/promise.ts';
import { Problems } from '#lib/values/problems.ts';
import type { Instant } from '#lib/values/time.ts';
import { causeOf, checkCurrency, getOpenHold, holdWrites, readHoldLines, refill } from './change.ts';
import { readHeldBasis, takeHeld } from './goods.ts';
import type { HeldGoods } from './input.ts';
import { checkAmounts, newLines, withLines } from './lines.ts';
import { type FullHold, show } from './read.ts';

/**
 * Adds the goods of a desk's cheque to a hold, and clears the draft they come from. A product that is in the
 * hold is added at its held price. 400 for a hold that is closed or canceled, 422 with all failing fields.
 * Part 2, "Holds".
 */
export async function addProducts(
  actor: Staff,
  { id, ...input }: HeldGoods & { readonly id: number },
  at: Instant,
  remember: (hold: FullHold) => Write[],
): Promise<FullHold> {
  const { home } = actor;
  return retryOnContention(async () => {
    const hold = await getOpenHold(actor, id);
    const problems = new Problems();
    const named = { ...input, stock_id: hold.stock_id, stockPath: 'cashbox_id' };
    const [lines, basis] = await Promise.all([
      readHoldLines(home, hold),
      readHeldBasis(actor, named, problems),
    ]);
    checkCurrency(hold, basis, 'products', problems);
    const wrong = problems.unless('products');
    const pricing = { ...basis.pricing, promised: promisesOf(lines, { areAdded: true }) };
    const taken = takeHeld({ ...basis, pricing, held: lines }, input, causeOf(hold, actor, at), wrong);
    const all = withLines(lines, newLines(taken), wrong);
    checkAmounts(all, input.products, wrong);
    problems.throwIfAny();

    const after = refill(hold, all, { id: actor.id, at });
    const full = await show(home, after, all);
    await transact([
      ...holdWrites(home, hold, after, all),
      ...basis.shelves.writes(),
      ...(input.cheque === null ? [] : [draftRemoval(home, basis.desk, input.cheque)]),
      ...remember(full),
    ]);
    return full;
  });
}
