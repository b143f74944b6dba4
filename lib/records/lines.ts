import * as z from 'zod';
import { MAX_BYTES, put, remove, type Write } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import { type Key, partition, type RecordRef } from '#lib/table/keys.ts';
import { pack, unpack } from '#lib/table/packed.ts';
import { getItems } from '#lib/table/read/get.ts';
import { Contention } from '#lib/table/transaction/transact.ts';
import { splitEvery } from '#lib/values/concurrency.ts';
import { parseStored } from './stored.ts';

/** Lines in an item: one item is one write, and stays far below the item size limit. */
const PACK = 100;

/*
 * Lines are packed: as attributes they took most of a large sale's bytes and CPU time. No query reads a part
 * of a line. Encoded as text, since a journal stores changes as JSON.
 */
const Pack = z.object({
  lines: z.string().transform((text) => z.array(z.unknown()).parse(unpack(Buffer.from(text, 'base64')))),
});

/** Returns the lines in an item; none if the item is missing. */
export function linesOfPack(item: Item | undefined): readonly unknown[] {
  return item ? Pack.parse(item).lines : [];
}

/**
 * Builds the writes of a document's lines, stored beside its header, many to an item, replacing `before`
 * former lines. They belong in the transaction that writes the header, whose guard protects them too.
 */
export function lineWrites(document: RecordRef, lines: readonly object[], before = 0): Write[] {
  const packs = splitEvery(lines, PACK);
  const writes = [
    ...packs.map((lines, index) => put(packKey(document, index), { lines: pack(lines).toString('base64') })),
    ...Array.from({ length: Math.max(0, packsOf(before) - packs.length) }, (_, index) =>
      remove(packKey(document, packs.length + index)),
    ),
  ];
  // The size of existing items is unknown.
  return writes.map((write, index) => (index < packsOf(before) ? { ...write, bytes: MAX_BYTES } : write));
}

/** Reads the lines of a document with `count` lines; `Contention` if it has fewer by now. One round trip. */
export async function readLines<S extends z.ZodType>(
  schema: S,
  document: RecordRef,
  count: number,
): Promise<z.input<S>[]> {
  const keys = Array.from({ length: packsOf(count) }, (_, pack) => packKey(document, pack));
  const items = await getItems(keys);
  const lines = items.flatMap(linesOfPack);
  if (lines.length < count) throw new Contention();
  return lines.map((line) => parseStored(schema, line));
}

/** Lines of each of several documents read together: as many as one item has. Part 4, 4.1. */
const MAX_LINES_EACH = PACK;

/**
 * Reads the first hundred lines of each document; `Contention` if one has fewer than its `products_count` by
 * now. One round trip for all.
 */
export async function readFirstLines<S extends z.ZodType>(
  schema: S,
  { type, tenant }: Omit<RecordRef, 'id'>,
  documents: readonly { readonly id: number; readonly products_count: number }[],
): Promise<z.input<S>[][]> {
  const keys = documents.map(({ id, products_count: count }) =>
    count > 0 ? packKey({ type, tenant, id }, 0) : undefined,
  );
  const items = await getItems(keys);
  return documents.map(({ products_count }, index) => {
    const lines = linesOfPack(items[index]);
    if (lines.length < Math.min(products_count, MAX_LINES_EACH)) throw new Contention();
    return lines.map((line) => parseStored(schema, line));
  });
}

/** Reads the lines of a document between two ranks, `to` exclusive. One round trip. */
export async function readLinesBetween<S extends z.ZodType>(
  schema: S,
  document: RecordRef,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<z.input<S>[]> {
  const first = Math.floor(from / PACK);
  const keys = Array.from({ length: packsOf(to) - first }, (_, index) => packKey(document, first + index));
  const items = await getItems(keys);
  const lines = items.flatMap(linesOfPack);
  return lines.slice(from - first * PACK, to - first * PACK).map((line) => parseStored(schema, line));
}

/**
 * Reads the lines of many documents, each with `count` lines; undefined for one that has fewer by now. One
 * round trip.
 */
export async function readLinesOfAll(
  documents: readonly { readonly place: RecordRef; readonly count: number }[],
): Promise<(unknown[] | undefined)[]> {
  const items = await getItems(
    documents.flatMap(({ place, count }) =>
      Array.from({ length: packsOf(count) }, (_, pack) => packKey(place, pack)),
    ),
  );
  let from = 0;
  return documents.map(({ count }) => {
    const packs = items.slice(from, from + packsOf(count));
    from += packsOf(count);
    const lines = packs.flatMap(linesOfPack);
    return lines.length < count ? undefined : lines;
  });
}

function packsOf(count: number): number {
  return Math.ceil(count / PACK);
}

function packKey({ type, tenant, id }: RecordRef, pack: number): Key {
  return { pk: `${partition(type, tenant)}#${id}`, sk: `lines-${String(pack).padStart(6, '0')}` };
}
