import * as z from 'zod';
import { makerOf, requireTrading, type Staff } from '#lib/access/actor.ts';

import { deskIn, deskKeys } from '#lib/cash/desk/read.ts';
import { requireShift } from '#lib/cash/desk/shift-rule.ts';
import { postAt, showPosted, writesAt } from '#lib/cash/posting/at-desk.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import type { Write } from '#lib/table/change/write.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { Id, optionalText } from '#lib/values/fields.ts';
import { amount, Currency, PaymentType } from '#lib/values/money.ts';
import { Problems } from '#lib/values/problems.ts';
import type { Instant } from '#lib/values/time.ts';
import type { BothSides } from './both-sides.ts';

/** Input to move money from one desk to another. Decisions, 9 (42). */
export const MoveInput = z.object({
  from_cashbox_id: Id,
  to_cashbox_id: Id,
  payment_type: PaymentType,
  currency: Currency,
  amount: amount(0.01),
  comment: optionalText(1000),
});

/**
 * Moves money between desks that are open to the caller, in one transaction. 422 with all failing fields; 400
 * without the open shift that one of them needs. Decisions, 9 (44).
 */
export async function moveBetween(
  actor: Staff,
  { from_cashbox_id, to_cashbox_id, comment, ...money }: z.output<typeof MoveInput>,
  at: Instant,
  remember: (answer: BothSides) => Write[],
): Promise<BothSides> {
  const { home } = actor;
  return retryOnContention(async () => {
    const problems = new Problems();
    const keys = [from_cashbox_id, to_cashbox_id].flatMap((id) => deskKeys(actor, id));
    const [id, items] = await Promise.all([nextId(POSTING, home, 2), getItems(keys)]);
    const [from, to] = [deskIn(actor, items.slice(0, 2)), deskIn(actor, items.slice(2))];
    if (!from) problems.add('from_cashbox_id', 'validation.not_found');
    if (!to) problems.add('to_cashbox_id', 'validation.not_found');
    else if (to.id === from?.id) problems.add('to_cashbox_id', 'operation.same_cashbox');
    if (!from || !to) throw problems.refusal;
    requireTrading(actor, to);
    const source = { source_type: 'transfer', source_id: id, ...makerOf(actor), comment, at } as const;
    const gone = postAt(
      from,
      [{ type: 'outcome', ...money, path: 'amount' }],
      { ...source, source_data: { transfer_id: id + 1, cashbox_id: to.id }, firstId: id },
      problems,
    );
    const come = postAt(
      to,
      [{ type: 'income', ...money, path: 'amount' }],
      { ...source, source_data: { transfer_id: id, cashbox_id: from.id }, firstId: id + 1 },
      problems,
    );
    problems.throwIfAny();
    await Promise.all([requireShift(actor, from), requireShift(actor, to)]);
    const answer = { data: [...showPosted(gone), ...showPosted(come)] };
    await transact([...writesAt(home, gone), ...writesAt(home, come), ...remember(answer)]);
    return answer;
  });
}
