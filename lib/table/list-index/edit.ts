import { randomInt } from 'node:crypto';
import type { Chunk, Index } from './manifest.ts';

/** Ids in a chunk: a page's ids are in one or two chunks, each at most a kilobyte. */
const CHUNK_IDS = 1000;

/** Latest ids that stay out of chunks, so that the first pages need none. */
export const TAIL_IDS = 500;

const NAMES = 2 ** 24;

/** A change of an index: ids to add and ids to remove. */
export interface IndexEdit {
  readonly add: ReadonlySet<number>;
  readonly remove: ReadonlySet<number>;
}

/** The current index update: its number, and the last id covered by the previous one. */
export interface UpdateStep {
  readonly fold: number;
  readonly upto: number;
}

type WrittenChunk = Chunk & { readonly ids: readonly number[] };

/** An index after an edit, with its new and its dropped chunks. */
export interface EditedIndex {
  readonly index: Index;
  readonly written: readonly WrittenChunk[];
  readonly dropped: readonly Chunk[];
  /** Added and removed ids. */
  readonly moved: readonly number[];
  readonly isChanged: boolean;
}

/** Returns the chunks that an edit has to read. */
export function chunksFor({ chunks, sealed }: Index, { add, remove }: IndexEdit): Chunk[] {
  const touched = new Set<Chunk>();
  for (const id of [...add, ...remove]) {
    if (id > sealed) continue;
    const chunk = chunks[findPlace(chunks, id)];
    if (chunk) touched.add(chunk);
  }
  return [...touched];
}

/** Edits an index; `loaded` has the ids of the chunks that the edit reads. Idempotent. */
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

/** Makes chunks of the oldest ids, up to the last one that no index update in progress can still insert. */
function seal(tail: readonly number[], upto: number) {
  const sealed: WrittenChunk[] = [];
  let left = tail;
  while ((left[TAIL_IDS + CHUNK_IDS - 1] ?? Number.POSITIVE_INFINITY) <= upto) {
    sealed.push(newChunk(left.slice(0, CHUNK_IDS)));
    left = left.slice(CHUNK_IDS);
  }
  return { sealed, left };
}

/** Edits a list of ids; undefined if it is unchanged. Appends the added and removed ids to `moved`. */
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
  const covered = moved.filter((id) => id <= upto);
  const { changed, before, recent } = index;
  if (covered.length === 0) return { changed, before, recent };
  // The same index update, started by a worker that died, has been here before.
  const same = changed === fold ? recent : [];
  return {
    changed: fold,
    before: changed === fold ? before : changed,
    recent: [...new Set([...same, ...covered])].sort((a, b) => a - b),
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
