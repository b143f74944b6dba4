import * as z from 'zod';
import type { SeededRandom } from '#bench/support/random.ts';
import { errorAnswer, type Fault, type TableAnswer } from './fault.ts';
import { type WireKey, wireKeysOf, wireNameOf } from './wire-key.ts';

/*
 * The table's responses under contention: a conflict with a transaction in progress, and a batch read in part
 * with unprocessed keys. The local table returns neither.
 */

/** Returns the response to a write, or a transactional read, of items locked by a transaction. */
export function conflictAnswer(
  operation: string,
  input: unknown,
  isTaken: (key: WireKey) => boolean,
): TableAnswer {
  if (!operation.startsWith('Transact')) return errorAnswer('TransactionConflictException');
  const CancellationReasons = wireKeysOf(operation, input).map((key) => ({
    Code: isTaken(key) ? 'TransactionConflict' : 'None',
  }));
  return errorAnswer('TransactionCanceledException', { CancellationReasons });
}

/** Rejects a write as a conflict on one of its items; nothing of it is applied. */
export function refuseAsConflict(chance: SeededRandom): Fault {
  return async ({ call: { operation, input }, answer }) => {
    const taken = wireNameOf(chance.oneOf(wireKeysOf(operation, input)));
    answer(conflictAnswer(operation, input, (key) => wireNameOf(key) === taken));
  };
}

/** Keys a batch reads. */
const Asked = z.object({
  RequestItems: z.record(z.string(), z.looseObject({ Keys: z.array(z.json()) })),
});

/** Reads the first keys of a batch, at least one, and returns the rest as unprocessed. */
export function leaveUnprocessed(chance: SeededRandom): Fault {
  return async ({ call: { operation, input }, ask, forward, answer }) => {
    const [asked] = Object.entries(Asked.parse(input).RequestItems);
    if (!asked || asked[1].Keys.length < 2) return answer(await forward());
    const [table, { Keys, ...how }] = asked;
    const count = chance.between(1, Keys.length - 1);
    const some = { ...input, RequestItems: { [table]: { ...how, Keys: Keys.slice(0, count) } } };
    const { status, headers, body } = await ask(operation, some);
    if (status !== 200) return answer({ status, headers, body });
    const read = z.looseObject({}).parse(JSON.parse(body.toString()));
    const UnprocessedKeys = { [table]: { ...how, Keys: Keys.slice(count) } };
    const { 'x-amz-crc32': _, ...kept } = headers;
    answer({ status, headers: kept, body: Buffer.from(JSON.stringify({ ...read, UnprocessedKeys })) });
  };
}
