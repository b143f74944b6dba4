import * as z from 'zod';
import { familyTenant, partition } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { type Locale, SUCCESS } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';
import { type StoredUser, users } from './user.ts';

const Named = z.object({ id: z.int(), name: z.string() });

/** Fields of a key that decide whether it is active, and its creator. */
const WorkingKey = Named.extend({
  type: z.literal('key'),
  creator_id: z.int(),
  is_deleted: z.literal(false),
  expires_at: z.number().nullable(),
});

/** Response to a user's deletion: the API keys they created stay active. Contract 9.140. */
export const Dismissal = z.object({ message: z.string(), keys: z.array(Named) });

/** Returns the active API keys that a deleted user created. One round trip. */
export async function dismissalOf(
  { id, family_id }: Pick<z.input<typeof StoredUser>, 'id' | 'family_id'>,
  { at, locale }: { readonly at: Instant; readonly locale: Locale },
): Promise<z.input<typeof Dismissal>> {
  const items =
    family_id === null ? [] : await wholePartition(partition(users.type, familyTenant(family_id)));
  const working = items
    .flatMap((item) => WorkingKey.safeParse(item).data ?? [])
    .filter(({ creator_id, expires_at }) => creator_id === id && (expires_at === null || expires_at > at));
  return { message: SUCCESS[locale], keys: working };
}
