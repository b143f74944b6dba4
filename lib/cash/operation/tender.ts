import * as z from 'zod';
import { type Maker, makerOf, requireRight, type Staff } from '#lib/auth/actor.ts';
import { type DeskWithRecord, deskIn, deskKeys, requireShift } from '#lib/cash/desk/read.ts';
import { type PostingResult, postAtDesk, showPosted, writesAt } from '#lib/cash/posting/make.ts';
import { POSTING, Posting } from '#lib/cash/posting/record.ts';
import * as reasons from '#lib/cash/reason.ts';
import type { Write } from '#lib/table/change/write.ts';
import { keyIfAny } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { Id, optionalText } from '#lib/values/fields.ts';
import { amount, Currency, PaymentType } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { checkReason } from './by-reason.ts';

/** Right to an expense, which a fee is. */
const EXPENSE = 'company.cashbox.operation.store';

/** Input to move money of a desk from one payment type to another. Part 5, 5A.8, 1. */
export const TenderInput = z.object({
  cashbox_id: Id,
  currency: Currency,
  from_payment_type: PaymentType,
  to_payment_type: PaymentType,
  amount: amount(0.01),
  fee: z.object({ amount: amount(0.01), reason_id: Id }).nullish(),
  comment: optionalText(1000),
});

type TenderInput = z.output<typeof TenderInput>;

/** Both sides of the movement, then its fee. */
export const TenderResponse = z.object({ data: z.array(Posting) });

type TenderResponse = z.input<typeof TenderResponse>;

/**
 * Moves money of a desk from one payment type to another, as a bank pays out card sales, with its fee as an
 * expense out of the second. 403 on a fee without the right to expenses; 422 with all failing fields;
 * 400 without the open shift that the desk needs. Part 5, 5A.8, 1. Two round trips.
 */
export async function moveTender(
  actor: Staff,
  input: TenderInput,
  at: Instant,
  saveResponse: (response: TenderResponse) => Write[],
): Promise<TenderResponse> {
  const { tenant } = actor;
  const { fee } = input;
  if (fee) requireRight(actor, EXPENSE);
  return retryOnContention(async () => {
    const issues = new ValidationIssues();
    const [id, [deskItem, money, reason]] = await Promise.all([
      nextId(POSTING, tenant, fee ? 3 : 2),
      getItems([
        ...deskKeys(actor, input.cashbox_id),
        keyIfAny(fee?.reason_id, (reasonId) => reasons.keyOf(actor, reasonId)),
      ]),
    ]);
    const desk = deskIn(actor, [deskItem, money]);
    if (!desk) issues.add('cashbox_id', 'validation.not_found');
    if (fee) checkReason(reasons.ifVisible(actor, reason), 'outcome', issues, 'fee.reason_id');
    checkTender(input, issues);
    if (!desk) throw issues.refusal;
    const made = postTender(desk, input, { maker: makerOf(actor), firstId: id, at }, issues);
    issues.throwIfAny();
    await requireShift(actor, desk);
    const response = { data: showPosted(made) };
    await transact([...writesAt(tenant, made), ...saveResponse(response)]);
    return response;
  });
}

/** Validates payment types and fee. Money only comes to cards by sales. */
function checkTender(
  { from_payment_type, to_payment_type, amount: moved, fee }: TenderInput,
  issues: ValidationIssues,
): void {
  if (from_payment_type === to_payment_type) issues.add('to_payment_type', 'operation.same_payment_type');
  else if (to_payment_type === 'card') issues.add('to_payment_type', 'operation.to_card');
  if (fee && fee.amount >= moved) {
    issues.add('fee.amount', { key: 'validation.not_below', with: { max: moved / 100 } });
  }
}

/** Posts both sides, and the fee after them. */
function postTender(
  desk: DeskWithRecord,
  { from_payment_type, to_payment_type, currency, amount: moved, fee, comment }: TenderInput,
  { maker, firstId, at }: { readonly maker: Maker; readonly firstId: number; readonly at: Instant },
  issues: ValidationIssues,
): PostingResult<DeskWithRecord> {
  const occasion = { ...maker, comment, at };
  const money = { currency, amount: moved, path: 'amount' };
  const from = { ...money, type: 'outcome', payment_type: from_payment_type } as const;
  const to = { ...money, type: 'income', payment_type: to_payment_type } as const;
  const sides = postAtDesk(
    desk,
    [
      { ...from, source_data: { transfer_id: firstId + 1 } },
      { ...to, source_data: { transfer_id: firstId } },
    ],
    { ...occasion, source_type: 'tender', source_id: firstId, firstId },
    issues,
  );
  if (!fee) return sides;
  const cost = { ...to, type: 'outcome', amount: fee.amount, path: 'fee.amount' } as const;
  const paid = postAtDesk(
    { ...desk, money: sides.money },
    [cost],
    { ...occasion, source_type: 'reason', source_id: fee.reason_id, firstId: firstId + 2 },
    issues.unless('amount', 'fee.amount'),
  );
  return { ...paid, desk, postings: [...sides.postings, ...paid.postings] };
}
