import * as z from 'zod';
import type { Item } from '#lib/table/client.ts';
import { atLeast } from '#lib/table/expression.ts';
import type { Key } from '#lib/table/keys.ts';
import { Contention, transact } from '#lib/table/transact.ts';
import { put, update } from '#lib/table/write.ts';
import { tooMany } from '#lib/values/refusal.ts';
import type { Instant } from '#lib/values/time.ts';

/** How often something may happen: `most` times in `seconds`, counted from the first. */
export interface Limit {
  readonly name: string;
  readonly most: number;
  readonly seconds: number;
}

const Count = z.object({ since: z.number(), count: z.number() });

/** Where the count for a subject stands, to be read beside what else a call needs. */
export function countKey({ name }: Limit, subject: string): Key {
  return { pk: `throttle#${name}#${subject}`, sk: 'count' };
}

/** 429 with the seconds to wait, where a count that was read has reached its limit. */
export function refuseOver(limit: Limit, item: Item | undefined, at: Instant): void {
  const { since = 0, count = 0 } = Count.safeParse(item).data ?? {};
  const left = since + limit.seconds * 1000 - at;
  if (left > 0 && count >= limit.most) throw tooMany(Math.ceil(left / 1000));
}

/** Counts one more, or begins anew where the time since the first is over. */
export async function countOne(limit: Limit, subject: string, at: Instant): Promise<void> {
  const key = countKey(limit, subject);
  try {
    await transact([
      update(key, { add: { count: 1 } }, { if: atLeast('since', at - limit.seconds * 1000 + 1) }),
    ]);
  } catch (error) {
    if (!(error instanceof Contention)) throw error;
    const expires_at = Math.ceil(at / 1000) + limit.seconds;
    await transact([put(key, { since: at, count: 1, expires_at })]);
  }
}
