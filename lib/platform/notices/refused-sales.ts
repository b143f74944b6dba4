import { withinReachOf } from '#lib/auth/account-manager.ts';
import { Desk, desks } from '#lib/cash/desk/desk.ts';
import { countWaiting } from '#lib/cash/desk/waiting.ts';
import { announcement, NOTIFICATION } from '#lib/people/notification.ts';
import { type Due, dueEndWrite, tenantOf } from '#lib/records/due.ts';
import { parseRecord, sourceOf } from '#lib/records/stored.ts';
import type { Item } from '#lib/table/client.ts';
import { all, equals } from '#lib/table/expression.ts';
import { PLATFORM, recordKey, type Tenant } from '#lib/table/keys.ts';
import { listItems } from '#lib/table/list/list.ts';
import { getItem } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { refusedSales } from '#lib/trade/refused/record.ts';
import type { Instant } from '#lib/values/time.ts';
import { WAITING_SALE } from './kinds.ts';
import { markWrite, readMark } from './marks.ts';
import { recipientsOf } from './recipients.ts';

const HOUR_MS = 3_600_000;

const RIGHT = 'company.trade.sale.refused.index';

/** Sends the notification of a desk's first waiting refused sale, at most once an hour. Part 5, 5B.11. */
export function notifyOfRefused(due: Due, at: Instant): Promise<void> {
  const tenant = tenantOf(due);
  const marked = { tenant, kind: WAITING_SALE, id: due.id };
  const end = dueEndWrite(WAITING_SALE, due);
  return retryOnContention(async () => {
    const [latest, [waiting = 0], deskItem, refused, id] = await Promise.all([
      readMark(marked),
      countWaiting(tenant, [due.id]),
      getItem(recordKey(desks.type, tenant, due.id)),
      oldestWaiting(tenant, due.id),
      nextId(NOTIFICATION, PLATFORM),
    ]);
    const since = at - HOUR_MS;
    if (waiting === 0 || !deskItem || !refused || (latest ?? 0) > since) return transact([end]);
    const desk = parseRecord(Desk, deskItem);
    const recipients = await recipientsOf(tenant, RIGHT, (actor) =>
      all(withinReachOf(actor, actor.cashDesks)).matches(desk),
    );
    const label = { key: 'notification.refused_sale', with: { desk: desk.name } } as const;
    const about = { kind: 'refused_sale', record_id: Number(refused['id']) } as const;
    return transact([
      markWrite(marked, at, since + 1),
      end,
      ...announcement({ id, label, created_at: at, ...about }, recipients),
    ]);
  });
}

async function oldestWaiting(tenant: Tenant, deskId: number): Promise<Item | undefined> {
  const where = [equals('cashbox_id', deskId), equals('status', 'waiting')];
  const sort = { field: 'id', descending: false };
  const list = { where, sort, page: 1, pageSize: 1, isBare: true };
  return (await listItems(sourceOf(refusedSales, tenant), list)).rows[0];
}
