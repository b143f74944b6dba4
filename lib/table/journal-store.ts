import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { runAlone } from './alone.ts';
import { documents, tableName } from './client.ts';
import { type Expression, equals } from './expression.ts';
import { getRawItems } from './items.ts';
import type { Key } from './keys.ts';
import { unmarked } from './mark.ts';
import { type Action, actionOf, Change, type Target } from './write.ts';

/** How long a journal that is being prepared is left alone after its last sign of life. */
const LEASE_MS = 10_000;

/** Longer than any journal is under way: its writes are of no use afterwards, and the table removes them by itself. */
const KEPT_S = 30 * 86_400;

// Packed, so many characters of JSON are far from the 400 KB that an item may hold.
const CHUNK_CHARS = 300_000;

const Header = z.object({ state: z.enum(['preparing', 'committed', 'aborted']), lease: z.number() });

const Chunk = z.object({ packed: z.instanceof(Uint8Array) });

const Targets = z.array(z.object({ pk: z.string(), sk: z.string(), change: Change }));

/**
 * Writes down a journal: its targets and its header, in the state `preparing`. One round trip: until all of it is there
 * no item bears its mark, so nobody looks for a part that may be missing.
 */
export async function recordJournal(id: string, targets: readonly Target[]): Promise<void> {
  const expires_at = Math.floor(Date.now() / 1000) + KEPT_S;
  const chunks = chunked(targets).map((chunk, index) => {
    const rows = chunk.map(({ key, change }) => ({ ...key, change }));
    const packed = deflateRawSync(JSON.stringify(rows));
    return insertion(
      { pk: partitionOf(id), sk: `chunk-${String(index).padStart(6, '0')}` },
      { packed, expires_at },
    );
  });
  const header = insertion(headerKey(id), { state: 'preparing', lease: Date.now() + LEASE_MS });
  await Promise.all([...chunks, header].map(runAlone));
}

/** The header of a journal, undefined once it is erased. */
export async function headerOf(id: string): Promise<z.output<typeof Header> | undefined> {
  const [item] = await getRawItems([headerKey(id)]);
  return Header.safeParse(item).data;
}

/** The targets of a journal. */
export async function targetsOf(id: string): Promise<Target[]> {
  const targets = (await itemsOf(id)).flatMap((item) => {
    const chunk = Chunk.safeParse(item).data;
    return chunk ? Targets.parse(JSON.parse(inflateRawSync(chunk.packed).toString())) : [];
  });
  return targets.map(({ pk, sk, change }) => ({ key: { pk, sk }, change }));
}

/** Prolongs the lease of a journal; fails for one that is not `preparing` any more. */
export function renewal(id: string): Action {
  return headerChange(id, { lease: Date.now() + LEASE_MS }, []);
}

/** Ends the preparing of a journal, one way or the other; with `lease`, only if it hasn't been prolonged since. */
export function turn(id: string, state: 'committed' | 'aborted', lease?: number): Promise<boolean> {
  return runAlone(headerChange(id, { state }, lease === undefined ? [] : [equals('lease', lease)]));
}

/** Removes the header of a journal which no item bears the mark of. What it wrote down goes by itself. */
export async function eraseJournal(id: string): Promise<void> {
  await runAlone(actionOf(headerKey(id), { kind: 'remove' }, [unmarked]));
}

function headerChange(id: string, set: Record<string, unknown>, conditions: readonly Expression[]): Action {
  const change: Change = { kind: 'update', set, add: {}, unset: [] };
  return actionOf(headerKey(id), change, [equals('state', 'preparing'), ...conditions]);
}

function insertion(key: Key, item: Record<string, unknown>): Action {
  return actionOf(key, { kind: 'put', item }, [unmarked]);
}

async function itemsOf(id: string) {
  const items = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await documents.send(
      new QueryCommand({
        TableName: tableName(),
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': partitionOf(id) },
        ConsistentRead: true,
        ...(ExclusiveStartKey && { ExclusiveStartKey }),
      }),
    );
    items.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
}

function chunked(targets: readonly Target[]): Target[][] {
  const chunks: Target[][] = [];
  let room = 0;
  for (const target of targets) {
    const size = JSON.stringify(target).length;
    if (size > room) {
      chunks.push([]);
      room = CHUNK_CHARS;
    }
    chunks.at(-1)?.push(target);
    room -= size;
  }
  return chunks;
}

function partitionOf(id: string): string {
  return `journal#${id}`;
}

function headerKey(id: string): Key {
  return { pk: partitionOf(id), sk: 'header' };
}
