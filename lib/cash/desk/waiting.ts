import * as z from 'zod';
import { check, update, type Write } from '#lib/table/change/write.ts';
import { absent, any, equals, lessThan } from '#lib/table/expression.ts';
import { type Key, padId, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { ApiError, badRequest } from '#lib/values/api-error.ts';

/*
 * How many refused sales of each desk wait: counted in the very transactions that keep, sell and dismiss
 * them. A sale that is not refused does nothing for it.
 */

const Waiting = z.object({ waiting: z.int() });

/** So many may wait at a desk: what comes then its till keeps. Part 4, 4.4, 5. */
export const MAX_WAITING = 5000;

/** Builds the write by which one more waits at a desk. 429 if too many do. */
export function waitWrite(tenant: Tenant, deskId: number): Write {
  const hasRoom = any([absent('waiting'), lessThan('waiting', MAX_WAITING)]);
  const otherwise = new ApiError(429, { key: 'sale.too_many_waiting' });
  return update(waitingKey(tenant, deskId), { add: { waiting: 1 } }, { if: hasRoom, otherwise });
}

/** Builds the write by which one that waited at a desk does no more. */
export function waitEndWrite(tenant: Tenant, deskId: number): Write {
  return update(waitingKey(tenant, deskId), { add: { waiting: -1 } });
}

/** Builds the check that none waits at a desk: it could not be sold any more. 400 if one does. */
export function nothingWaitsCheck(tenant: Tenant, deskId: number): Write {
  const isFree = any([absent('waiting'), equals('waiting', 0)]);
  return check(waitingKey(tenant, deskId), { if: isFree, otherwise: badRequest('cashbox.sales_wait') });
}

/** Counts those that wait at each of some desks. One round trip. */
export async function countWaiting(tenant: Tenant, deskIds: readonly number[]): Promise<number[]> {
  const items = await getItems(deskIds.map((id) => waitingKey(tenant, id)));
  return items.map(waitingIn);
}

/** Counts those that wait in a family. One round trip. */
export async function countAllWaiting(tenant: Tenant): Promise<number> {
  return [...(await countWaitingByDesk(tenant)).values()].reduce((sum, count) => sum + count, 0);
}

/** Counts those that wait in a family, by desk. One round trip. */
export async function countWaitingByDesk(tenant: Tenant): Promise<ReadonlyMap<number, number>> {
  const items = await wholePartition(partitionOf(tenant));
  return new Map(items.map((item) => [Number(item['sk']), waitingIn(item)]));
}

function waitingIn(item: unknown): number {
  return Waiting.safeParse(item).data?.waiting ?? 0;
}

function waitingKey(tenant: Tenant, deskId: number): Key {
  return { pk: partitionOf(tenant), sk: padId(deskId) };
}

function partitionOf(tenant: Tenant): string {
  return `refused-sales-waiting#${tenant}`;
}
