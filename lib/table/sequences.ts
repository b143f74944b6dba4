import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { begin } from '#lib/values/begin.ts';
import { dynamo, tableName } from './client.ts';
import { besideCall, noteDrawn, requireFresh } from './deadline.ts';
import { addressOf, type Home, type Key, sequenceKey } from './keys.ts';
import { type Draw, newDraw, takeUnused } from './unused-ids.ts';

/**
 * Takes the next id of a type in a home, or the first of `count` ids in a row. Ids start at 1 and never come
 * twice; one that is taken and not used leaves a gap. Call it beside the reads that an operation needs
 * anyway: a call that is refused gives its ids back (`unused-ids.ts`). Decisions, 1, "Ids".
 */
export async function nextId(type: string, home: Home, count = 1): Promise<number> {
  const key = sequenceKey(type, home);
  const unused = takeUnused(addressOf(key), count);
  const { first } = unused ? noteDrawn(unused) : await besideCall(newIds(key, count));
  return first;
}

/** Draws ids that nobody has had. */
async function newIds(key: Key, count: number): Promise<Draw> {
  const { Attributes } = await dynamo.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: { ...key },
      UpdateExpression: 'ADD #last :count',
      ExpressionAttributeNames: { '#last': 'last' },
      ExpressionAttributeValues: { ':count': count },
      ReturnValues: 'UPDATED_NEW',
    }),
  );
  return noteDrawn(newDraw(addressOf(key), Number(Attributes?.['last']) - count + 1, count));
}

/**
 * Makes a draw that is done once for each count, as soon as it is wanted: work that is tried again is given
 * the same ids.
 */
export function drawOnce<T>(draw: (count: number) => Promise<T>): (count?: number) => Promise<T> {
  const drawn = new Map<number, Promise<T>>();
  return (count = 1) => {
    const ids = drawn.get(count) ?? begin(draw(count));
    drawn.set(count, ids);
    return ids;
  };
}

/** Makes a draw of ids as `nextId`'s, done once for each count. 0 if none are wanted. */
export function idsOnce(type: string, home: Home): (count?: number) => Promise<number> {
  return drawOnce(async (count) => (count > 0 ? nextId(type, home, count) : 0));
}

/** Requires that an id of a type in a home was drawn in time to be written. 503 if it was not. */
export function requireFreshId(type: string, home: Home, id: number): void {
  requireFresh(addressOf(sequenceKey(type, home)), id);
}
