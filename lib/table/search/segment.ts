import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod';
import type { Item } from '#lib/table/client.ts';
import { EVERY, keyOfWord, type SearchFields, type Word, type WordRange, wordsOf } from './document.ts';

/*
 * A segment: the words of some records, sorted, each with the ids of its records, cut into blocks.
 * Immutable: a changed record is in a newer segment, which hides it in the older ones.
 */

/** A word, and the ids of the records that have it, in ascending order. */
export interface WordIds extends Word {
  readonly ids: readonly number[];
}

/** A block before it is stored, with its first word. */
export interface Block {
  readonly first: string;
  readonly packed: Uint8Array<ArrayBuffer>;
}

/** A record of a segment. */
export type SegmentRow = Item & { readonly id: number };

/** Characters of a block before it is compressed, to about a fifth. */
const BLOCK_TEXT = 64_000;

/** Ids of a word in one entry of a block. */
const ENTRY_IDS = 8000;

/** Returns the words of records, sorted. */
export function postingsOf(fields: SearchFields, rows: readonly SegmentRow[]): WordIds[] {
  const byKey = new Map<string, { readonly word: Word; readonly ids: number[] }>();
  for (const row of rows.toSorted((a, b) => a.id - b.id)) {
    for (const word of wordsOf(fields, row)) {
      const key = keyOfWord(word);
      const held = byKey.get(key) ?? { word, ids: [] };
      held.ids.push(row.id);
      byKey.set(key, held);
    }
  }
  return sortWords([...byKey.values()].map(({ word, ids }) => ({ ...word, ids })));
}

/** Merges the words of segments, the newest first: of a record, the words of the newest segment count. */
export function mergePostings(segments: readonly (readonly WordIds[])[]): WordIds[] {
  const hidden = new Set<number>();
  const byKey = new Map<string, { readonly word: Word; readonly ids: number[] }>();
  for (const postings of segments) {
    for (const { text, kind, ids } of postings) {
      const left = hidden.size === 0 ? ids : ids.filter((id) => !hidden.has(id));
      if (left.length === 0) continue;
      const key = keyOfWord({ text, kind });
      const held = byKey.get(key) ?? { word: { text, kind }, ids: [] };
      for (const id of left) held.ids.push(id);
      byKey.set(key, held);
    }
    for (const id of idsOfSegment(postings)) hidden.add(id);
  }
  return sortWords([...byKey.values()].map(({ word, ids }) => ({ ...word, ids: ids.sort((a, b) => a - b) })));
}

/** Returns all ids of a segment, from its first words. */
export function idsOfSegment(postings: readonly WordIds[]): number[] {
  return postings.flatMap(({ text, ids }) => (text === EVERY.text ? ids : []));
}

/** Cuts sorted words into blocks. */
export function blocksOf(postings: readonly WordIds[]): Block[] {
  const blocks: Block[] = [];
  let entries: unknown[] = [];
  let [first, before, size] = ['', '', 0];
  const end = () => {
    if (entries.length > 0) blocks.push({ first, packed: pack(entries) });
    entries = [];
    before = '';
    size = 0;
  };
  for (const { text, kind, ids } of postings) {
    for (let from = 0; from < ids.length; from += ENTRY_IDS) {
      if (entries.length === 0) first = text;
      const shared = prefixLength(before, text);
      const differences = differencesOf(ids.slice(from, from + ENTRY_IDS));
      entries.push([shared, text.slice(shared), kind, ...differences]);
      before = text;
      size += text.length - shared + 8 + differences.length * 3;
      if (size > BLOCK_TEXT) end();
    }
  }
  end();
  return blocks;
}

const Entries = z.array(z.tuple([z.int(), z.string(), z.int()], z.int()));

/** Unpacks the words of a block. */
export function postingsIn(block: Uint8Array): WordIds[] {
  let before = '';
  return Entries.parse(JSON.parse(inflateRawSync(block).toString())).map(([shared, rest, kind, ...steps]) => {
    before = `${before.slice(0, shared)}${rest}`;
    let id = 0;
    const ids = steps.map((step) => {
      id += step;
      return id;
    });
    return { text: before, kind, ids };
  });
}

/** Returns the numbers of the blocks that may have words of a range, by the first words of all blocks. */
export function blocksFor(first: readonly string[], { text, isWhole }: WordRange): number[] {
  return [...first.keys()].filter((each) => {
    const [low = '', next] = [first[each], first[each + 1]];
    const isBefore = next !== undefined && next < text;
    const isAfter = isWhole ? low > text : low > text && !low.startsWith(text);
    return !isBefore && !isAfter;
  });
}

function sortWords(postings: WordIds[]): WordIds[] {
  return postings.sort((a, b) => {
    if (a.text !== b.text) return a.text < b.text ? -1 : 1;
    return a.kind - b.kind;
  });
}

function pack(entries: readonly unknown[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(deflateRawSync(JSON.stringify(entries)));
}

function differencesOf(ids: readonly number[]): number[] {
  return ids.map((id, index) => id - (ids[index - 1] ?? 0));
}

function prefixLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}
