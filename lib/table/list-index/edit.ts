import { randomInt } from 'node:crypto';
import type { Chunk, Index } from './manifest.ts';

/** Ids in a chunk: a page's ids are in one or two, and a chunk is at most a kilobyte. */
const CHUNK_IDS = 1000;

/** This many of the latest ids stay out of chunks, so that the first pages need none. */
export const TAIL_IDS = 500;

const NAMES = 2 ** 24;

/** A change of an index: ids to add, and ids to remove. */
export interface IndexEdit {
  readonly add: ReadonlySet<number>;
  readonly remove: ReadonlySet<number>;
}

/** The editing fold: its number, and the last id that the fold before it took in. */
export interface UpdateStep {
  readonly fold: number;
  readonly upto: number;
}

type WrittenChunk = Chunk & { readonly ids: readonly number[] };

/** An index after an edit, with its new chunks and those that it dropped. */
export interface EditedIndex {
  readonly index: Index;
  readonly written: readonly WrittenChunk[];
  readonly dropped: readonly Chunk[];
  /** Ids that were added or removed. */
  readonly moved: readonly number[];
  readonly isChanged: boolean;
}

/** Lists the chunks that an edit must look into. */
export function chunksFor({ chunks, sealed }: Index, { add, remove }: IndexEdit): Chunk[] {
  const touched = new Set<Chunk>();
  for (const id of [...add, ...remove]) {
    if (id > sealed) continue;
    const chunk = chunks[findPlace(chunks, id)];
    if (chunk) touched.add(chunk);
  }
  return [...touched];
}

/**
 * Edits an index; `loaded` has the ids of the chunks that the edit looks into. To edit twice changes nothing
 * more.
 */
export function editIndex(
  index: Index,
  edit: IndexEdit,
  step: UpdateStep,
  loaded: ReadonlyMap<Chunk, readonly number[]>,
): EditedIndex {
  const written: WrittenChunk[] = [];
  const dropped: Chunk[] = [];
  const moved: number[] = [];
  const old = index.chunks.flatMap((chunk, place) => {
    const ids = loaded.get(chunk);
    const isMine = (id: number) => id <= index.sealed && findPlace(index.chunks, id) === place;
    const after = ids && editIds(ids, edit, isMine, moved);
    if (!after) return [chunk];
    dropped.push(chunk);
    const pieces = cut(after).map(newChunk);
    written.push(...pieces);
    return pieces;
  });
  const tail = editIds(index.tail, edit, (id) => id > index.sealed, moved) ?? index.tail;
  const { sealed, left } = seal(tail, step.upto);
  written.push(...sealed);
  const chunks = [...old, ...sealed].map(({ first, count, name }) => ({ first, count, name }));
  const end = sealed.at(-1)?.ids.at(-1) ?? (old.length === 0 ? 0 : index.sealed);
  return {
    index: { ...stampOf(index, moved, step), version: index.version + 1, chunks, sealed: end, tail: left },
    written,
    dropped,
    moved,
    isChanged: moved.length + written.length > 0,
  };
}

/** Makes chunks of the oldest ids, as far as no fold under way can still bring one of them. */
function seal(tail: readonly number[], upto: number) {
  const sealed: WrittenChunk[] = [];
  let left = tail;
  while ((left[TAIL_IDS + CHUNK_IDS - 1] ?? Number.POSITIVE_INFINITY) <= upto) {
    sealed.push(newChunk(left.slice(0, CHUNK_IDS)));
    left = left.slice(CHUNK_IDS);
  }
  return { sealed, left };
}

/** Edits a list of ids; undefined if it stays the same. The ids that are added or removed go into `moved`. */
function editIds(
  ids: readonly number[],
  { add, remove }: IndexEdit,
  isMine: (id: number) => boolean,
  moved: number[],
): number[] | undefined {
  const before = new Set(ids);
  const [come, gone] = [
    [...add].filter((id) => isMine(id) && !before.has(id)),
    [...remove].filter((id) => isMine(id) && before.has(id)),
  ];
  if (come.length + gone.length === 0) return undefined;
  moved.push(...come, ...gone);
  for (const id of gone) before.delete(id);
  return [...before, ...come].sort((a, b) => a - b);
}

function stampOf(index: Index, moved: readonly number[], { fold, upto }: UpdateStep) {
  const late = moved.filter((id) => id <= upto);
  const { changed, before, recent } = index;
  if (late.length === 0) return { changed, before, recent };
  // The same fold did it before, if the worker that began it died.
  const same = changed === fold ? recent : [];
  return {
    changed: fold,
    before: changed === fold ? before : changed,
    recent: [...new Set([...same, ...late])].sort((a, b) => a - b),
  };
}

function cut(ids: readonly number[]): (readonly number[])[] {
  if (ids.length === 0) return [];
  if (ids.length <= 2 * CHUNK_IDS) return [ids];
  return [...cut(ids.slice(0, ids.length / 2)), ...cut(ids.slice(ids.length / 2))];
}

function newChunk(ids: readonly number[]): WrittenChunk {
  return { first: ids[0] ?? 0, count: ids.length, name: randomInt(NAMES), ids };
}

/** Finds the place of the chunk that holds an id. */
function findPlace(chunks: readonly Chunk[], id: number): number {
  const after = chunks.findIndex(({ first }) => first > id);
  return Math.max(0, (after === -1 ? chunks.length : after) - 1);
}
