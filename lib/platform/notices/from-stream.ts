import type { DynamoDBRecord } from 'aws-lambda';
import { type Due, dueKey } from '#lib/records/due.ts';
import { actionOf } from '#lib/table/change/change.ts';
import { writeOne } from '#lib/table/change/send.ts';
import { absent } from '#lib/table/expression.ts';
import { WAITING_SALES } from '#lib/table/feed/feed-types.ts';
import { imageWithoutLock, numberOf } from '#lib/table/feed/image.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';
import type { Instant } from '#lib/values/time.ts';
import { OVERDUE_SHIFT, WAITING_SALE } from './kinds.ts';

/*
 * Notifications at once cost writers nothing: the consumer of the stream plans them as due work, and a worker
 * sends them within a minute. A record that comes twice plans the same work again: the worker leaves a mark.
 */

/** Work written concurrently. */
const AT_ONCE = 20;

/** Plans the notifications of a batch of the stream. Part 5, 5B.11. */
export async function planNotices(records: readonly DynamoDBRecord[], at: Instant): Promise<void> {
  await mapConcurrent(
    records.flatMap((record) => noticesIn(record, at)),
    AT_ONCE,
    ({ kind, due }) => writeOne(actionOf(dueKey(kind, due), { kind: 'put', item: {} }, [absent('pk')])),
  );
}

function noticesIn(
  { dynamodb: { Keys, OldImage, NewImage } = {} }: DynamoDBRecord,
  at: Instant,
): { readonly kind: string; readonly due: Due }[] {
  const [, word, family] = /^([\w-]+)#family-(\d+)$/.exec(Keys?.['pk']?.S ?? '') ?? [];
  const [before, after] = [imageWithoutLock(OldImage), imageWithoutLock(NewImage)];
  const place = { familyId: Number(family), id: Number(Keys?.['sk']?.S) };
  if (word === WAITING_SALES) {
    const [was = 0, is = 0] = [numberOf(before, 'waiting'), numberOf(after, 'waiting')];
    return was <= 0 && is > 0 ? [{ kind: WAITING_SALE, due: { ...place, at } }] : [];
  }
  const closesAt = word === 'cashbox-shift' && !before ? numberOf(after, 'closes_at') : undefined;
  return closesAt === undefined ? [] : [{ kind: OVERDUE_SHIFT, due: { ...place, at: closesAt } }];
}
