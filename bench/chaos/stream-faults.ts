import * as z from 'zod';
import type { SeededRandom } from '#bench/support/random.ts';
import type { Fault } from './fault.ts';

/*
 * Faults of the table's stream: a batch delivered again in part, and changes of several items in another
 * order. Only changes of one item keep theirs.
 */

const StreamRecord = z.looseObject({ dynamodb: z.looseObject({ Keys: z.json() }) });

type StreamRecord = z.output<typeof StreamRecord>;

const Batch = z.looseObject({ Records: z.array(StreamRecord) });

/** Delivers a batch with its records twice. */
export const deliverTwice: Fault = changeBatch((records) => [...records, ...records]);

/** Delivers a batch in another order, in which changes of one item keep theirs. */
export function deliverInDisorder(chance: SeededRandom): Fault {
  return changeBatch((records) => {
    const left = [...Map.groupBy(records, ({ dynamodb: { Keys } }) => JSON.stringify(Keys)).values()];
    return records.flatMap(() => {
      const waiting = left.filter((each) => each.length > 0);
      return chance.oneOf(waiting).splice(0, 1);
    });
  });
}

function changeBatch(change: (records: readonly StreamRecord[]) => readonly StreamRecord[]): Fault {
  return async ({ forward, answer }) => {
    const answered = await forward();
    if (answered.status !== 200) return answer(answered);
    const batch = Batch.parse(JSON.parse(answered.body.toString()));
    const last = batch.Records.at(-1);
    if (!last) return answer(answered);
    // The last record keeps its place: an interrupted consumer resumes after it.
    const Records = [...change(batch.Records.slice(0, -1)), last];
    const { 'x-amz-crc32': _, ...headers } = answered.headers;
    answer({ ...answered, headers, body: Buffer.from(JSON.stringify({ ...batch, Records })) });
  };
}
