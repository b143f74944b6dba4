import * as z from 'zod';
import { type Key, PLATFORM, recordKey } from '#lib/table/keys.ts';
import type { Instant } from '#lib/values/time.ts';

/** The type of tariffs, in their keys. */
export const TARIFF = 'tariff';

const Block = z.object({ block_at: z.number().nullable() });

/** Gives the key of a family's tariff, which also tells from when the family is blocked for debt. */
export function tariffKey(familyId: number): Key {
  return recordKey(TARIFF, PLATFORM, familyId);
}

/** Finds when a family is to be blocked for debt, by the item at `tariffKey`; undefined if it is not. */
export function blockAtIn(item: unknown): Instant | undefined {
  return Block.safeParse(item).data?.block_at ?? undefined;
}
