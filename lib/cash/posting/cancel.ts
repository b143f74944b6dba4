import { deskMoneyWrite, type MoneyDesk } from '#lib/cash/desk/money.ts';
import { cancelMove } from '#lib/cash/desk/movement.ts';
import { documentInsertion, documentReplacement } from '#lib/records/documents.ts';
import type { Stored } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { oppositeOf } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { decimalsAfter } from './balances.ts';
import { POSTING_CANCELLATION, postingCancellations } from './cancellation.ts';
import { movementError } from './make.ts';
import { deskPostings } from './record.ts';

/** User, time and comment of a cancellation. */
export interface Cancellation {
  readonly by: number;
  readonly at: Instant;
  readonly comment: string;
}

/**
 * Allocates consecutive ids for cancellations of postings and returns the first; callers run it alongside
 * their reads.
 */
export function drawCancellationIds(tenant: Tenant, count: number): Promise<number> {
  return nextId(POSTING_CANCELLATION, tenant, count);
}

/**
 * Builds the writes that cancel a desk's postings, record when their money moved back, and update the desk's
 * money. 400 if an income is already spent, or if a balance would exceed the limit.
 */
export function cancellationWrites(
  tenant: Tenant,
  desk: MoneyDesk,
  postings: readonly Stored<typeof deskPostings.schema>[],
  { by, at, comment, firstId }: Cancellation & { readonly firstId: number },
): Write[] {
  let { money } = desk;
  const writes = postings.flatMap((posting, index) => {
    const { id: posting_id, company_id, cashbox_id, payment_type, currency, amount } = posting;
    const type = oppositeOf(posting);
    const after = cancelMove(money, posting, at);
    if (!after) throw movementError(money, { ...posting, type });
    money = after;
    const canceled = {
      ...posting,
      status: 'canceled' as const,
      cancel_comment: comment,
      canceled_by_id: by,
      updated_at: at,
      ...(money.shift && { canceled_shift_id: money.shift.id }),
      balances_after_cancel: decimalsAfter(money, currency),
    };
    const moved = { company_id, cashbox_id, type, payment_type, currency, amount, created_at: at };
    return [
      ...documentReplacement(deskPostings, tenant, posting, canceled),
      documentInsertion(postingCancellations, tenant, { id: firstId + index, posting_id, ...moved }),
    ];
  });
  return [...writes, deskMoneyWrite(tenant, desk, money)];
}
