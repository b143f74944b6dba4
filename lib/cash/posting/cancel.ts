import type { DeskMoney } from '#lib/cash/desk/money.ts';
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

/** Cancels a posting of a desk with this money. 400 if it is spent, or if there would be too much. */
export function cancelPosting(
  home: Home,
  posting: Stored<typeof deskPostings.schema>,
  before: DeskMoney,
  { by, at, comment }: Cancellation,
): { readonly money: DeskMoney; readonly writes: Write[] } {
  const money = cancelMove(before, posting, at);
  if (!money) throw stuck(before, { ...posting, type: oppositeOf(posting) });
  const after = {
    ...posting,
    status: 'canceled',
    cancel_comment: comment,
    canceled_by_id: by,
    updated_at: at,
    ...(money.shift && { canceled_shift_id: money.shift.id }),
    balances_after_cancel: decimalsAfter(money, posting.currency),
  } as const;
  return { money, writes: documentReplacement(deskPostings, home, posting, after) };
}
