import * as z from 'zod';
import { makerOf, requireTrading, type Staff } from '#lib/auth/actor.ts';
import { deskIn, deskKeys, requireShift } from '#lib/cash/desk/read.ts';
import { type PostingWithDesk, postAtDesk, showPosted, writesAt } from '#lib/cash/posting/make.ts';
import { POSTING, Posting } from '#lib/cash/posting/record.ts';
import * as reasons from '#lib/cash/reason.ts';
import type { Write } from '#lib/table/change/write.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { Id, optionalText } from '#lib/values/fields.ts';
import { amount, Currency, PaymentType } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';

/** Input to add an income or an expense. Part 3, "Cash operations". */
export const OperationInput = z.object({
  cashbox_id: Id,
  type: Posting.shape.type,
  payment_type: PaymentType,
  currency: Currency,
  amount: amount(0.01),
  reason_id: Id,
  comment: optionalText(1000),
});

type OperationInput = z.output<typeof OperationInput> & {
  /** Required open shift, for an expense of a shift. */
  readonly shift_id?: number;
};

/**
 * Posts an income or expense with a reason at a desk. 422 with all failing fields; 400 without the open shift
 * that the desk needs, or if it is not `shift_id`.
 */
export async function moveByReason(
  actor: Staff,
  { shift_id, ...input }: OperationInput,
  at: Instant,
  saveResponse: (posting: PostingWithDesk) => Write[],
): Promise<PostingWithDesk> {
  const { tenant } = actor;
  const { cashbox_id, reason_id, comment, ...moved } = input;
  return retryOnContention(async () => {
    const issues = new ValidationIssues();
    const keys = [...deskKeys(actor, cashbox_id), reasons.keyOf(actor, reason_id)];
    const [id, [deskItem, money, reasonItem]] = await Promise.all([nextId(POSTING, tenant), getItems(keys)]);
    const desk = deskIn(actor, [deskItem, money]);
    const reason = reasons.ifVisible(actor, reasonItem);
    if (!desk) issues.add('cashbox_id', 'validation.not_found');
    checkReason(reason, moved.type, issues);
    if (!desk) throw issues.refusal;
    if (moved.type === 'income') requireTrading(actor, desk);
    const source = { source_type: 'reason', source_id: reason_id, ...makerOf(actor), comment, at } as const;
    const made = postAtDesk(desk, [{ ...moved, path: 'amount' }], { ...source, firstId: id }, issues);
    const [response] = showPosted(made);
    if (issues.areAny || !response) throw issues.refusal;
    await requireShift(actor, desk);
    if (shift_id !== undefined && desk.money.shift?.id !== shift_id)
      throw badRequest('operation.shift_closed');
    await transact([...writesAt(tenant, made), ...saveResponse(response)]);
    return response;
  });
}

/** Validates the reason of a movement: one that is gone, or of the other type, goes to `issues`. */
export function checkReason(
  reason: ReturnType<typeof reasons.ifVisible>,
  type: OperationInput['type'],
  issues: ValidationIssues,
  path = 'reason_id',
): void {
  if (!reason) issues.add(path, 'validation.not_found');
  else if (reason.type !== type) issues.add(path, 'operation.reason_of_other_type');
}
