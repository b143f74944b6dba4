import { deskMoneyWrite, type MoneyDesk } from '#lib/cash/desk/money.ts';
import { cancelMove } from '#lib/cash/desk/movement.ts';
import { documentReplacement } from '#lib/records/documents.ts';
import type { Stored } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Home } from '#lib/table/keys.ts';
import { oppositeOf } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { decimalsAfter } from './balances.ts';
import { stuck } from './make.ts';
import { deskPostings } from './record.ts';

/** Who cancels, when and why. */
export interface Cancellation {
  readonly by: number;
  readonly at: Instant;
  readonly comment: string;
}

/**
 * Builds the writes that cancel postings of a desk, and of the money that it has then. 400 if an income is
 * spent, or if there would be too much.
 */
export function cancellationWrites(
  home: Home,
  desk: MoneyDesk,
  postings: readonly Stored<typeof deskPostings.schema>[],
  { by, at, comment }: Cancellation,
): Write[] {
  let { money } = desk;
  const writes = postings.flatMap((posting) => {
    const after = cancelMove(money, posting, at);
    if (!after) throw stuck(money, { ...posting, type: oppositeOf(posting) });
    money = after;
    return documentReplacement(deskPostings, home, posting, {
      ...posting,
      status: 'canceled',
      cancel_comment: comment,
      canceled_by_id: by,
      updated_at: at,
      ...(money.shift && { canceled_shift_id: money.shift.id }),
      balances_after_cancel: decimalsAfter(money, posting.currency),
    });
  });
  return [...writes, deskMoneyWrite(home, desk, money)];
}
