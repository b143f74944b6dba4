import type { Staff } from '#lib/access/actor.ts';
import { makerOf } from '#lib/access/impersonation.ts';
import { documentInsertion } from '#lib/records/documents.ts';
import { lineWrites } from '#lib/records/lines.ts';
import type { Write } from '#lib/table/change/write.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { draftRemoval } from '#lib/trade/draft/record.ts';
import type { Basis } from '#lib/trade/sale/basis.ts';
import { totalAmount } from '#lib/values/money.ts';
import { Problems } from '#lib/values/problems.ts';
import { dayOf, type Instant, startOfDay } from '#lib/values/time.ts';
import { causeOf, placeOf } from './change.ts';
import { readHeldBasis, takeHeld } from './goods.ts';
import type { HoldInput } from './input.ts';
import { checkAmounts, newLines, withLines } from './lines.ts';
import { type Hold, type HoldLine, holds } from './record.ts';

/**
 * Sets goods aside for a customer: they leave the shelf at once, the oldest batches first, and the desk's
 * draft that they come from is cleared. 422 with all failing fields; 400 if a count has closed the warehouse.
 * Part 2, "Holds".
 */
export async function create(
  actor: Staff,
  input: HoldInput,
  at: Instant,
  remember: (hold: Hold) => Write[],
): Promise<Hold> {
  const { home } = actor;
  return retryOnContention(async () => {
    const problems = new Problems();
    const [id, basis] = await Promise.all([nextId(holds.type, home), readHeldBasis(actor, input, problems)]);
    if (input.date !== null && input.date < dayOf(at)) problems.add('date', 'validation.in_past');
    const taken = takeHeld(basis, input, causeOf({ id }, actor, at), problems);
    const lines = withLines([], newLines(taken), problems);
    checkAmounts(lines, input.products, problems);
    problems.throwIfAny();

    const hold = newHold(actor, { ...input, id, lines, at }, basis);
    await transact([
      documentInsertion(holds, home, hold),
      ...lineWrites(placeOf(home, id), lines),
      ...basis.shelves.writes(),
      ...(input.cheque === null ? [] : [draftRemoval(home, basis.desk, input.cheque)]),
      ...remember(hold),
    ]);
    return hold;
  });
}

function newHold(
  actor: Staff,
  made: HoldInput & { readonly id: number; readonly lines: readonly HoldLine[]; readonly at: Instant },
  { desk, pricing }: Basis,
): Hold {
  const { id, lines, at, stock_id, full_name, date, comment } = made;
  return {
    id,
    ...makerOf(actor),
    updater_id: actor.id,
    company_id: desk.company_id,
    stock_id,
    sale_id: null,
    full_name,
    date: date === null ? null : startOfDay(date),
    comment,
    currency: pricing.currency,
    amount: totalAmount(lines),
    status: 'in_progress',
    products_count: lines.length,
    created_at: at,
    updated_at: at,
  };
}
