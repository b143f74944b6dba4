import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo, tableName } from './client.ts';
import { besideCall, noteDrawn, requireFresh } from './deadline.ts';
import { addressOf, type Home, type Key, sequenceKey } from './keys.ts';
import { drawAgain } from './tries.ts';
import { type Draw, newDraw, takeUnused } from './unused-ids.ts';

/**
 * Takes the next id of a type in a home, or the first of `count` ids in a row; 0 if none are wanted. Ids
 * start at 1 and never come twice; one that is taken and not used leaves a gap. Call it beside the reads that
 * an operation needs anyway: work that is tried again is given the same ids (`tries.ts`), and a call that is
 * refused gives its ids back (`unused-ids.ts`). Decisions, 1, "Ids".
 */
export async function nextId(type: string, home: Home, count = 1): Promise<number> {
  if (count === 0) return 0;
  const key = sequenceKey(type, home);
  return drawAgain(addressOf(key), count, () => draw(key, count));
}

async function draw(key: Key, count: number): Promise<number> {
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

/** Requires that an id of a type in a home was drawn in time to be written. 503 if it was not. */
export function requireFreshId(type: string, home: Home, id: number): void {
  requireFresh(addressOf(sequenceKey(type, home)), id);
}
