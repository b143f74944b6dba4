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

/** Tells whether a family is blocked for debt, by the item at `tariffKey`. Without a tariff it never is. */
export function isBlockedBy(item: unknown, at: Instant): boolean {
  const block = Block.safeParse(item).data;
  return block !== undefined && block.block_at !== null && block.block_at <= at;
}
