import * as z from 'zod';
import { absent, all, atLeast, equals, lessThan } from '#lib/table/expression.ts';
import type { Key } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/reads.ts';
import { Contention, transact, untilSettled } from '#lib/table/transact.ts';
import { put, update } from '#lib/table/write.ts';
import { tooMany } from '#lib/values/refusal.ts';
import type { Instant } from '#lib/values/time.ts';

/** How often something may be tried: `most` times in `seconds`, counted from the first. */
export interface Limit {
  readonly name: string;
  readonly most: number;
  readonly seconds: number;
}

const Count = z.object({ since: z.number(), count: z.number() });

/**
 * Takes one of a subject's tries, or throws 429 with the seconds to wait. It is taken before the trying, so that many
 * at once get no more than one after the other.
 */
export async function takeTry(limit: Limit, subject: string, at: Instant): Promise<void> {
  const key = keyOf(limit, subject);
  const span = limit.seconds * 1000;
  await untilSettled(async () => {
    const held = Count.safeParse(await getItem(key)).data;
    const left = held ? held.since + span - at : 0;
    if (held && left > 0) {
      if (held.count >= limit.most) throw tooMany(Math.ceil(left / 1000));
      const same = all([equals('since', held.since), lessThan('count', limit.most)]);
      return transact([update(key, { add: { count: 1 } }, { if: same })]);
    }
    const expires_at = Math.ceil(at / 1000) + limit.seconds;
    const over = held ? equals('since', held.since) : absent('pk');
    return transact([put(key, { since: at, count: 1, expires_at }, { if: over })]);
  });
}

/** Gives a try back that was none of those to be limited. */
export async function giveBack(limit: Limit, subject: string): Promise<void> {
  try {
    await transact([update(keyOf(limit, subject), { add: { count: -1 } }, { if: atLeast('count', 1) })]);
  } catch (error) {
    // The count has begun anew or is gone: there is nothing to give back to.
    if (!(error instanceof Contention)) throw error;
  }
}

function keyOf({ name }: Limit, subject: string): Key {
  return { pk: `throttle#${name}#${subject}`, sk: 'count' };
}
