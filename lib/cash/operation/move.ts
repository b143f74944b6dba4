import * as z from 'zod';
import { makerOf, requireTrading, type Staff } from '#lib/auth/actor.ts';
import { deskIn, deskKeys, requireShift } from '#lib/cash/desk/read.ts';
import { postAtDesk, showPosted, writesAt } from '#lib/cash/posting/make.ts';
import { POSTING, Posting } from '#lib/cash/posting/record.ts';
import type { Write } from '#lib/table/change/write.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { Id, optionalText } from '#lib/values/fields.ts';
import { amount, Currency, PaymentType } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';

/** Input to move money from one desk to another. Contract 9.42. */
export const MoveInput = z.object({
  from_cashbox_id: Id,
  to_cashbox_id: Id,
  payment_type: PaymentType,
  currency: Currency,
  amount: amount(0.01),
  comment: optionalText(1000),
});

/**
 * Moves money between desks open to the caller, in one transaction. 422 with all failing fields; 400 without
 * the open shift that one of them needs. Contract 9.44.
 */
export async function moveBetween(
  actor: Staff,
  { from_cashbox_id, to_cashbox_id, comment, ...money }: z.output<typeof MoveInput>,
  at: Instant,
  saveResponse: (response: BothSides) => Write[],
): Promise<BothSides> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const issues = new ValidationIssues();
    const keys = [from_cashbox_id, to_cashbox_id].flatMap((id) => deskKeys(actor, id));
    const [id, items] = await Promise.all([nextId(POSTING, tenant, 2), getItems(keys)]);
    const [from, to] = [deskIn(actor, items.slice(0, 2)), deskIn(actor, items.slice(2))];
    if (!from) issues.add('from_cashbox_id', 'validation.not_found');
    if (!to) issues.add('to_cashbox_id', 'validation.not_found');
    else if (to.id === from?.id) issues.add('to_cashbox_id', 'operation.same_cashbox');
    if (!from || !to) throw issues.refusal;
    requireTrading(actor, to);
    const source = { source_type: 'transfer', source_id: id, ...makerOf(actor), comment, at } as const;
    const outgoing = postAtDesk(
      from,
      [{ type: 'outcome', ...money, path: 'amount' }],
      { ...source, source_data: { transfer_id: id + 1, cashbox_id: to.id }, firstId: id },
      issues,
    );
    const incoming = postAtDesk(
      to,
      [{ type: 'income', ...money, path: 'amount' }],
      { ...source, source_data: { transfer_id: id, cashbox_id: from.id }, firstId: id + 1 },
      issues,
    );
    issues.throwIfAny();
    await Promise.all([requireShift(actor, from), requireShift(actor, to)]);
    const response = { data: [...showPosted(outgoing), ...showPosted(incoming)] };
    await transact([...writesAt(tenant, outgoing), ...writesAt(tenant, incoming), ...saveResponse(response)]);
    return response;
  });
}

/** Input to convert money of a desk into another currency. Contract 9.42. */
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
 * Converts money of a desk into another currency, at the bank's rate. 422 with all failing fields; 400
 * without the open shift that the desk needs.
 */
export async function convert(
  actor: Staff,
  input: z.output<typeof ConversionInput>,
  at: Instant,
  saveResponse: (response: BothSides) => Write[],
): Promise<BothSides> {
  const { cashbox_id, payment_type, from_currency, from_amount, to_currency, to_amount, comment } = input;
  return retryOnContention(async () => {
    const issues = new ValidationIssues();
    const [id, items] = await Promise.all([
      nextId(POSTING, actor.tenant, 2),
      getItems(deskKeys(actor, cashbox_id)),
    ]);
    const desk = deskIn(actor, items);
    if (!desk) issues.add('cashbox_id', 'validation.not_found');
    if (from_currency === to_currency) issues.add('to_currency', 'operation.same_currency');
    if (!desk) throw issues.refusal;
    const outgoing = { type: 'outcome', payment_type, currency: from_currency, amount: from_amount } as const;
    const incoming = { type: 'income', payment_type, currency: to_currency, amount: to_amount } as const;
    const made = postAtDesk(
      desk,
      [
        { ...outgoing, path: 'from_amount', source_data: { transfer_id: id + 1 } },
        { ...incoming, path: 'to_amount', source_data: { transfer_id: id } },
      ],
      { source_type: 'conversion', source_id: id, ...makerOf(actor), comment, at, firstId: id },
      issues,
    );
    issues.throwIfAny();
    await requireShift(actor, desk);
    const response = { data: showPosted(made) };
    await transact([...writesAt(actor.tenant, made), ...saveResponse(response)]);
    return response;
  });
}

/** Both sides of a movement: the outcome, then the income. Contract 9.63. */
export const BothSides = z.object({ data: z.array(Posting) });

export type BothSides = z.input<typeof BothSides>;
