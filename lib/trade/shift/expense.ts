import type * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { moveByReason, OperationInput } from '#lib/cash/operation/by-reason.ts';
import type { Posting } from '#lib/cash/posting/record.ts';
import { getDocument } from '#lib/records/documents.ts';
import type { Write } from '#lib/table/change/write.ts';
import { badRequest } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';
import { closableShifts } from './record.ts';

/** Input to pay an expense from a shift's desk. Part 3, "Cash shifts". */
export const ExpenseInput = OperationInput.pick({
  reason_id: true,
  payment_type: true,
  currency: true,
  amount: true,
  comment: true,
});

/**
 * Pays an expense from the desk of a shift. 404 as in `closeShift`, 400 if it is closed, 422 with all failing
 * fields; on `amount` if the desk has less. Contract 9.68.
 */
export async function payExpense(
  actor: Staff,
  { id, ...input }: z.output<typeof ExpenseInput> & { readonly id: number },
  at: Instant,
  saveResponse: (posting: z.input<typeof Posting>) => Write[],
): Promise<z.input<typeof Posting>> {
  const { status, cashbox_id } = await getDocument(closableShifts, actor, id);
  if (status === 'closed') throw badRequest('shift.not_open');
  return moveByReason(actor, { ...input, type: 'outcome', cashbox_id, shift_id: id }, at, saveResponse);
}
