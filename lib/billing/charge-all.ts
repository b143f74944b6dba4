import * as z from 'zod';
import { TARIFF } from '#lib/access/post.ts';
import { PLATFORM, partition } from '#lib/table/keys.ts';
import { walk } from '#lib/table/read/get.ts';
import { sideBySide } from '#lib/values/side-by-side.ts';
import type { Instant } from '#lib/values/time.ts';
import { charge } from './charge.ts';

/** Tariffs in a step, and how many of them are charged at the same time. */
const STEP = 100;
const SIDE_BY_SIDE = 20;

const Named = z.object({ id: z.int() });

/**
 * Charges every family what is due by now; answers with how many families there are. One that fails does not
 * keep the others from it: the error comes at the end. It may run again at any time.
 */
export async function chargeAll(at: Instant): Promise<number> {
  let count = 0;
  const errors: unknown[] = [];
  for await (const items of walk(partition(TARIFF, PLATFORM), STEP)) {
    count += items.length;
    await sideBySide(items, SIDE_BY_SIDE, async (item) => {
      await charge(Named.parse(item).id, at).catch((error: unknown) => errors.push(error));
    });
  }
  if (errors.length > 0) {
    throw new AggregateError(
      errors,
      `${errors.length} of ${count} tariffs failed, the first by: ${errors[0]}`,
    );
  }
  return count;
}
