import * as z from 'zod';
import { makerOf, type Staff } from '#lib/access/actor.ts';

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

/** Input to change money of a desk into another currency. Decisions, 9 (42). */
export const ConversionInput = z.object({
  cashbox_id: Id,
  payment_type: PaymentType,
  from_currency: Currency,
  from_amount: amount(0.01),
  to_currency: Currency,
  to_amount: amount(0.01),
  comment: optionalText(1000),
});

/**
 * Changes money of a desk into another currency, at whatever rate the bank gave. 422 with all failing fields;
 * 400 without the open shift that the desk needs.
 */
export async function convert(
  actor: Staff,
  input: z.output<typeof ConversionInput>,
  at: Instant,
  remember: (answer: BothSides) => Write[],
): Promise<BothSides> {
  const { cashbox_id, payment_type, from_currency, from_amount, to_currency, to_amount, comment } = input;
  return retryOnContention(async () => {
    const problems = new Problems();
    const [id, items] = await Promise.all([
      nextId(POSTING, actor.home, 2),
      getItems(deskKeys(actor, cashbox_id)),
    ]);
    const desk = deskIn(actor, items);
    if (!desk) problems.add('cashbox_id', 'validation.not_found');
    if (from_currency === to_currency) problems.add('to_currency', 'operation.same_currency');
    if (!desk) throw problems.refusal;
    const gone = { type: 'outcome', payment_type, currency: from_currency, amount: from_amount } as const;
    const come = { type: 'income', payment_type, currency: to_currency, amount: to_amount } as const;
    const made = postAt(
      desk,
      [
        { ...gone, path: 'from_amount', source_data: { transfer_id: id + 1 } },
        { ...come, path: 'to_amount', source_data: { transfer_id: id } },
      ],
      { source_type: 'conversion', source_id: id, ...makerOf(actor), comment, at, firstId: id },
      problems,
    );
    problems.throwIfAny();
    await requireShift(actor, desk);
    const answer = { data: showPosted(made) };
    await transact([...writesAt(actor.home, made), ...remember(answer)]);
    return answer;
  });
}
