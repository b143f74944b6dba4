import type { Item } from './client.ts';
import { all, type Expression, nameOf } from './expression.ts';
import { getRawItems } from './items.ts';
import { type Key, sequenceKey } from './keys.ts';
import type { ListRequest, Source } from './list-request.ts';
import {
  countOf,
  extendMemo,
  forgotten,
  headKey,
  idsOf,
  type Memo,
  memoFrom,
  type Ranks,
  Torn,
} from './memo-store.ts';
import { readAnswer, readRange, WHOLE } from './ranges.ts';
import { idOf, rowsAt } from './rows.ts';
import { settledEnd } from './settled.ts';

/*
 * Pages, totals and last pages of lists of any size.
 *
 * A record's id and what settled filters look at never change, and a list only grows at its end. So for every settled
 * filter that is asked for, a memo keeps the ids it leaves, a thousand to a chunk, up to an id below which nothing can
 * appear any more (`settled.ts`). A read takes the memo's head and the last id given out (one round trip), the ids after
 * the memo's end and the chunk with the page's ids (one), and the page's rows (one), at any size. The total is the memo's
 * count and what came after: exact at the moment of the read, while records are being made.
 *
 * A reader who finds the memo behind extends it; of two at once one is in vain. A memo never holds what is not so: it
 * may be thrown away at any time.
 */

/** How far behind a memo may be before it is worth a write. */
const BEHIND = 64;

/** How many ids are read before the memo is extended by them: what a reader who dies on the way leaves to the next. */
const STRETCH = 32_000;

/** How many may have come after the memo for the first guess at a page's ranks to hold. */
const GUESSED = 1000;

/** A list under way: whose rows, which of them, where its memo stands, and what was the last id given out. */
interface Listing {
  readonly pk: string;
  readonly where: readonly Expression[];
  readonly head: Key;
  readonly last: number;
  readonly at: number;
}

/**
 * A page of what settled filters leave, in the order of ids. Three round trips at any size, two for the newest of all. Undefined where the ids
 * were not given out in this home: such a list holds copies, which come and go, and nothing in it is settled.
 */
export async function memoPage({ type, home }: Source, pk: string, request: ListRequest, at: number) {
  const where = request.settled;
  const head = headKey(pk, nameOf(all(where)));
  const [[held, sequence], newest] = await Promise.all([
    getRawItems([head, sequenceKey(type, home)]),
    newestPage(pk, request),
  ]);
  if (!sequence) return undefined;
  // A row that was read beside the counter may have come after it.
  const last = Math.max(Number(sequence['last']), ...(newest ?? []).slice(0, 1).map(idOf));
  const listing = { pk, where, head, last, at };
  const memo = memoFrom(held);
  try {
    return (
      (newest && (await withTotal(listing, memo, newest, request))) ?? (await pageOf(listing, memo, request))
    );
  } catch (error) {
    if (error instanceof Torn) return pageOf(listing, forgotten(memo), request);
    throw error;
  }
}

/** The page that is asked for most, the newest of all records: its rows are known without the memo, which counts the rest. */
async function newestPage(
  pk: string,
  { settled, sort, page, pageSize }: ListRequest,
): Promise<readonly Item[] | undefined> {
  if (settled.length > 0 || !sort.descending || page > 1) return undefined;
  const { items, left } = await readAnswer(pk, WHOLE, { where: [], most: pageSize }, true);
  // Fewer where a journal has taken places for new ones: the others are found the long way.
  return left && items.length < pageSize ? undefined : items;
}

/** The page with the total, which is counted a moment later; undefined where something has come between the two. */
async function withTotal(listing: Listing, memo: Memo, rows: readonly Item[], { pageSize }: ListRequest) {
  const tail = await readTail(listing, memo);
  await extend(listing, tail);
  const total = countOf(memo) + tail.ids.length;
  const newest = tail.ids.slice(-pageSize).reverse();
  const isSame = newest.every((id, index) => rows[index]?.['id'] === id);
  return isSame && rows.length === Math.min(total, pageSize) ? { rows, total } : undefined;
}

async function pageOf(listing: Listing, memo: Memo, { sort, page, pageSize }: ListRequest) {
  const place = { from: (page - 1) * pageSize, to: page * pageSize };
  const ranks = (total: number) => (sort.descending ? fromEnd(total, place) : upTo(total, place));
  const count = countOf(memo);
  const ahead = Math.min(GUESSED, Math.max(0, listing.last - memo.upto));
  const guess = upTo(count, { from: ranks(count).from, to: ranks(count + ahead).to });
  const [tail, guessed] = await Promise.all([readTail(listing, memo), idsOf(listing.head, memo, guess)]);
  const total = count + tail.ids.length;
  const wanted = ranks(total);
  const inMemo = upTo(count, wanted);
  const isGuessed = guess.from <= inMemo.from && inMemo.to <= guess.to;
  const ids = [
    ...(isGuessed
      ? guessed.slice(inMemo.from - guess.from, inMemo.to - guess.from)
      : await idsOf(listing.head, memo, inMemo)),
    ...tail.ids.slice(Math.max(0, wanted.from - count), Math.max(0, wanted.to - count)),
  ];
  const [rows] = await Promise.all([
    rowsAt(listing.pk, sort.descending ? ids.reverse() : ids),
    extend(listing, tail),
  ]);
  return { rows, total };
}

/** What comes after a memo's end, and how far the memo could be brought meanwhile. */
interface Tail {
  readonly ids: readonly number[];
  /** Undefined where someone else is extending it. */
  readonly memo: Memo | undefined;
  readonly settled: Promise<number>;
}

/** Only ids are kept of what is read, so that a million of them fit. */
async function readTail({ pk, where, head, last, at }: Listing, memo: Memo): Promise<Tail> {
  const isBehind = last - memo.upto >= BEHIND;
  // Only what may be kept rests on it: the answer neither waits for it nor fails with it.
  const settled = isBehind
    ? settledEnd(pk, { from: memo.upto + 1, to: last }, at).catch(() => memo.upto)
    : Promise.resolve(memo.upto);
  let [ids, extended]: [readonly number[], Memo | undefined] = [[], memo];
  for (let from = memo.upto + 1; from <= last; from += STRETCH) {
    const to = Math.min(last, from + STRETCH - 1);
    const found = (await readRange(pk, { from, to }, { where, only: [] })).map(idOf);
    ids = ids.concat(found);
    if (to < last && to <= (await settled)) extended &&= await extendMemo(head, extended, found, to);
  }
  return { ids, memo: extended, settled };
}

/** Extends a memo by what can't change any more, where that is worth a write. */
async function extend({ head }: Listing, { ids, memo, settled }: Tail): Promise<void> {
  const upto = await settled;
  if (!memo || upto - memo.upto < BEHIND) return;
  const old = ids.filter((id) => memo.upto < id && id <= upto);
  await extendMemo(head, memo, old, upto);
}

/** A place counted from the end, as ranks from the beginning. */
function fromEnd(total: number, { from, to }: Ranks): Ranks {
  return { from: Math.max(0, total - to), to: Math.max(0, total - from) };
}

function upTo(count: number, { from, to }: Ranks): Ranks {
  return { from: Math.min(from, count), to: Math.min(to, count) };
}
