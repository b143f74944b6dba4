import { withinReachOf } from '#lib/auth/account-manager.ts';
import { Desk, desks } from '#lib/cash/desk/desk.ts';
import { announcement, NOTIFICATION } from '#lib/people/notification.ts';
import { type Due, dueEndWrite, tenantOf } from '#lib/records/due.ts';
import { parseRecord } from '#lib/records/stored.ts';
import { check } from '#lib/table/change/write.ts';
import { all, equals } from '#lib/table/expression.ts';
import { PLATFORM, recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { ALL_SHIFTS } from '#lib/trade/shift/reach.ts';
import { shifts } from '#lib/trade/shift/record.ts';
import type { Instant } from '#lib/values/time.ts';
import { OVERDUE_SHIFT } from './kinds.ts';
import { markWrite, readMark } from './marks.ts';
import { recipientsOf } from './recipients.ts';

/**
 * Sends the notification, once a shift, that it is open after its working hours; its cashier, too.
 * Part 5, 5B.11.
 */
export function notifyOfOverdue(due: Due, at: Instant): Promise<void> {
  const tenant = tenantOf(due);
  const marked = { tenant, kind: OVERDUE_SHIFT, id: due.id };
  const end = dueEndWrite(OVERDUE_SHIFT, due);
  const key = recordKey(shifts.type, tenant, due.id);
  return retryOnContention(async () => {
    const [latest, item, id] = await Promise.all([
      readMark(marked),
      getItem(key),
      nextId(NOTIFICATION, PLATFORM),
    ]);
    const shift = item && parseRecord(shifts.schema, item);
    if (latest !== undefined || shift?.status !== 'open') return transact([end]);
    const { cashbox_id, company_id, creator_id } = shift;
    const [deskItem, others] = await Promise.all([
      getItem(recordKey(desks.type, tenant, cashbox_id)),
      recipientsOf(tenant, ALL_SHIFTS, (actor) =>
        all(withinReachOf(actor, actor.cashDesks)).matches({ id: cashbox_id, company_id }),
      ),
    ]);
    const desk = deskItem ? parseRecord(Desk, deskItem).name : '';
    const label = { key: 'notification.shift_overdue', with: { desk } } as const;
    const about = { kind: 'shift_overdue', record_id: due.id } as const;
    return transact([
      markWrite(marked, at, 0),
      check(key, { if: equals('status', 'open') }),
      end,
      ...announcement({ id, label, created_at: at, ...about }, [...new Set([creator_id, ...others])]),
    ]);
  });
}
