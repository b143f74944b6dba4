import * as z from 'zod';
import { check, update, type Write } from '#lib/table/change/write.ts';
import { absent, any, equals, lessThan } from '#lib/table/expression.ts';
import { type Key, padId, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { ApiError, badRequest } from '#lib/values/api-error.ts';

/*
 * Number of a desk's refused sales: counted in the transactions that store, sell and dismiss them. Other
 * sales are not affected.
 */

const Waiting = z.object({ waiting: z.int() });

/** Limit of refused sales per desk; further ones stay at the till. Part 4, 4.4, 5. */
export const MAX_WAITING = 5000;

/** Builds the write that counts a new refused sale at a desk. 429 over the limit. */
export function waitWrite(tenant: Tenant, deskId: number): Write {
  const hasRoom = any([absent('waiting'), lessThan('waiting', MAX_WAITING)]);
  const otherwise = new ApiError(429, { key: 'sale.too_many_waiting' });
  return update(waitingKey(tenant, deskId), { add: { waiting: 1 } }, { if: hasRoom, otherwise });
}

/** Builds the write that uncounts a sold or dismissed refused sale at a desk. */
export function waitEndWrite(tenant: Tenant, deskId: number): Write {
  return update(waitingKey(tenant, deskId), { add: { waiting: -1 } });
}

/** Builds the check that a desk has no refused sales, which could not be sold any more. 400 if it has. */
export function nothingWaitsCheck(tenant: Tenant, deskId: number): Write {
  const isFree = any([absent('waiting'), equals('waiting', 0)]);
  return check(waitingKey(tenant, deskId), { if: isFree, otherwise: badRequest('cashbox.sales_wait') });
}

/** Reads the number of refused sales at each of the desks. One round trip. */
export async function countWaiting(tenant: Tenant, deskIds: readonly number[]): Promise<number[]> {
  const items = await getItems(deskIds.map((id) => waitingKey(tenant, id)));
  return items.map(waitingIn);
}

/** Counts the refused sales of a family. One round trip. */
export async function countAllWaiting(tenant: Tenant): Promise<number> {
  return [...(await countWaitingByDesk(tenant)).values()].reduce((sum, count) => sum + count, 0);
}

/** Counts the refused sales of a family, by desk. One round trip. */
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
