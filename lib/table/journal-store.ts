import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { documents, tableName } from './client.ts';
import { type Expression, equals } from './expression.ts';
import { getRawItems } from './items.ts';
import type { Key } from './keys.ts';
import { unmarked } from './mark.ts';
import { NATIVE_LIMIT, runNatively } from './native.ts';
import { type Action, actionOf, Change, type Target } from './write.ts';

/** How long a journal that is being prepared is left alone after its last sign of life. */
const LEASE_MS = 10_000;

/** Longer than any journal lives: what a crash before the header left is swept by the table itself. */
const KEPT_S = 7 * 86_400;

// An item holds 400 KB; JSON's length is a fair measure of an item's, never off by half.
const CHUNK_CHARS = 200_000;

const Header = z.object({ state: z.enum(['preparing', 'committed', 'aborted']), lease: z.number() });

const Chunk = z.object({ targets: z.array(z.object({ pk: z.string(), sk: z.string(), change: Change })) });

/** Writes down a journal: its targets, then its header in the state `preparing`. */
export async function recordJournal(id: string, targets: readonly Target[]): Promise<void> {
  const expires_at = Math.floor(Date.now() / 1000) + KEPT_S;
  await Promise.all(
    chunked(targets).map((chunk, index) => {
      const sk = `chunk-${String(index).padStart(6, '0')}`;
      const rows = chunk.map(({ key, change }) => ({ ...key, change }));
      return runNatively([insertion({ pk: partitionOf(id), sk }, { targets: rows, expires_at })]);
    }),
  );
  await runNatively([
    insertion(headerKey(id), { state: 'preparing', lease: Date.now() + LEASE_MS, expires_at }),
  ]);
}

/** The header of a journal, undefined once it is erased. */
export async function headerOf(id: string): Promise<z.output<typeof Header> | undefined> {
  const [item] = await getRawItems([headerKey(id)]);
  return Header.safeParse(item).data;
}

/** The targets of a journal; none once it is erased. */
export async function targetsOf(id: string): Promise<Target[]> {
  const chunks = (await itemsOf(id)).flatMap((item) => Chunk.safeParse(item).data ?? []);
  return chunks.flatMap(({ targets }) => targets.map(({ pk, sk, change }) => ({ key: { pk, sk }, change })));
}

/** Prolongs the lease of a journal; fails for one that is not `preparing` any more. */
export function renewal(id: string): Action {
  return headerChange(id, { lease: Date.now() + LEASE_MS }, []);
}

/** Ends the preparing of a journal, one way or the other; with `lease`, only if it hasn't been prolonged since. */
export function turn(id: string, state: 'committed' | 'aborted', lease?: number): Action {
  return headerChange(id, { state }, lease === undefined ? [] : [equals('lease', lease)]);
}

/** Removes a journal which no item bears the mark of. */
export async function eraseJournal(id: string): Promise<void> {
  const keys = (await itemsOf(id)).map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) }));
  for (let from = 0; from < keys.length; from += NATIVE_LIMIT) {
    await runNatively(
      keys.slice(from, from + NATIVE_LIMIT).map((key) => actionOf(key, { kind: 'remove' }, [unmarked])),
    );
  }
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
