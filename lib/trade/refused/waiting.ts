import * as z from 'zod';
import { update, type Write } from '#lib/table/change/write.ts';
import { type Home, type Key, padId } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { wholePartition } from '#lib/table/read/walk.ts';

/*
 * How many refused sales of each desk wait: counted in the very transactions that keep, sell and dismiss
 * them. A sale that is not refused does nothing for it.
 */

const Waiting = z.object({ waiting: z.int() });

/** Builds the write by which one more waits at a desk, or one less. */
export function waitingWrite(home: Home, deskId: number, by: 1 | -1): Write {
  return update(waitingKey(home, deskId), { add: { waiting: by } });
}

/** Counts those that wait at each of some desks. One round trip. */
export async function countWaiting(home: Home, deskIds: readonly number[]): Promise<number[]> {
  const items = await getItems(deskIds.map((id) => waitingKey(home, id)));
  return items.map(waitingIn);
}

/** Counts those that wait in a family. One round trip. */
export async function countAllWaiting(home: Home): Promise<number> {
  return [...(await countWaitingByDesk(home)).values()].reduce((sum, count) => sum + count, 0);
}

/** Counts those that wait in a family, by desk. One round trip. */
export async function countWaitingByDesk(home: Home): Promise<ReadonlyMap<number, number>> {
  const items = await wholePartition(partitionOf(home));
  return new Map(items.map((item) => [Number(item['sk']), waitingIn(item)]));
}

function waitingIn(item: unknown): number {
  return Waiting.safeParse(item).data?.waiting ?? 0;
}

function waitingKey(home: Home, deskId: number): Key {
  return { pk: partitionOf(home), sk: padId(deskId) };
}

function partitionOf(home: Home): string {
  return `refused-sales-waiting#${home}`;
}
