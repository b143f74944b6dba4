import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo, tableName } from './client.ts';
import { noteDrawn, requireFresh } from './deadline.ts';
import { addressOf, type Home, sequenceKey } from './keys.ts';

/**
 * Takes the next id of a type in a home, or the first of `count` ids in a row. Ids start at 1 and never come
 * twice; one that is taken and not used leaves a gap. Call it beside the reads that an operation needs
 * anyway. Decisions, 1, "Ids".
 */
export async function nextId(type: string, home: Home, count = 1): Promise<number> {
  const key = sequenceKey(type, home);
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
  const first = Number(Attributes?.['last']) - count + 1;
  noteDrawn(addressOf(key), first, count);
  return first;
}

/**
 * Makes a draw of ids as `nextId`'s, but once for each count: work that is tried again is given the same ids.
 * 0 if none are wanted.
 */
export function idsOnce(type: string, home: Home): (count: number) => Promise<number> {
  const drawn = new Map<number, Promise<number>>();
  return (count) => {
    const first = drawn.get(count) ?? (count > 0 ? nextId(type, home, count) : Promise.resolve(0));
    drawn.set(count, first);
    return first;
  };
}

/** Requires that an id of a type in a home was drawn in time to be written. 503 if it was not. */
export function requireFreshId(type: string, home: Home, id: number): void {
  requireFresh(addressOf(sequenceKey(type, home)), id);
}
