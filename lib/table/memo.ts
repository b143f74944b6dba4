import type { Item } from './client.ts';
import { all, nameOf } from './expression.ts';
import { getRawItems } from './items.ts';
import { type Key, sequenceKey } from './keys.ts';
import type { ListRequest, Source } from './list.ts';
import { countOf, extendMemo, headKey, idsOf, type Memo, memoFrom, type Ranks } from './memo-store.ts';
import { readRange } from './ranges.ts';
import { rowsAt } from './rows.ts';

/*
 * Pages, totals and last pages of lists of any size.
 *
 * A record's id and what settled filters look at never change, and a list only grows at its end. So for every settled
 * filter that is asked for, a memo keeps the ids it leaves, a thousand to a chunk, up to an id below which nothing can
 * appear any more. A read takes the memo's head and the last id given out (one round trip), the ids after the memo's
 * end and the chunk with the page's ids (one), and the page's rows (one), at any size. The total is the memo's count and
 * what came after: exact at the moment of the read, while records are being made.
 *
 * Why nothing can appear below the end: ids are given out in order, and a record is written within the life of the call
 * that took its id, which is under half a minute. A record two minutes old took its id at least a minute and a half
 * ago, and so did every lower id. Likewise for all ids that were out when a mark was set two minutes ago.
 *
 * A reader who finds the memo behind extends it; of two at once one is in vain. A memo never holds what is not so: it
 * may be thrown away at any time.
 */

const SETTLED_MS = 120_000;

/** How far behind a memo may be before it is worth a write. */
const BEHIND = 64;

/** How many may have come after the memo for the first guess at a page's ranks to hold. */
const GUESSED = 256;

/** A page of what settled filters leave, in the order of ids. Three round trips at any size. */
export async function memoPage({ type, home }: Source, pk: string, request: ListRequest) {
  const { settled, sort, page, pageSize } = request;
  const head = headKey(pk, nameOf(all(settled)));
  const [held, sequence] = await getRawItems([head, sequenceKey(type, home)]);
  const memo = memoFrom(held);
  const last = Number(sequence?.['last'] ?? 0);
  const place = { from: (page - 1) * pageSize, to: page * pageSize };
  const ranks = (total: number) => (sort.descending ? fromEnd(total, place) : upTo(total, place));
  const count = countOf(memo);
  const guess = upTo(count, { from: ranks(count).from, to: ranks(count + GUESSED).to });
  const [tail, guessed] = await Promise.all([
    readRange(pk, { from: memo.upto + 1, to: last }, { where: settled, only: ['created_at'] }),
    idsOf(head, memo, guess),
  ]);
  const total = count + tail.length;
  const wanted = ranks(total);
  const inMemo = upTo(count, wanted);
  const isGuessed = guess.from <= inMemo.from && inMemo.to <= guess.to;
  const ids = [
    ...(isGuessed ? guessed.slice(inMemo.from - guess.from, inMemo.to - guess.from) : await idsOf(head, memo, inMemo)),
    ...tail.slice(Math.max(0, wanted.from - count), Math.max(0, wanted.to - count)).map(idOf),
  ];
  const [rows] = await Promise.all([
    rowsAt(pk, sort.descending ? ids.reverse() : ids),
    bringUp(head, memo, tail, last, Date.now()),
  ]);
  return { rows, total };
}

/** Extends a memo by what can't change any more, where that is worth a write. */
async function bringUp(head: Key, memo: Memo, tail: readonly Item[], last: number, now: number): Promise<void> {
  const old = tail.findLast(({ created_at }) => Number(created_at) < now - SETTLED_MS);
  const seen = memo.seen.at < now - SETTLED_MS ? memo.seen.last : 0;
  const upto = Math.max(memo.upto, seen, old ? idOf(old) : 0);
  const isBehind = upto - memo.upto >= BEHIND;
  // Where a filter leaves few rows or none, only time tells what is settled: what was the last id two minutes ago.
  const wantsMark = memo.seen.last <= memo.upto && last - memo.upto >= BEHIND;
  if (!isBehind && !wantsMark) return;
  const ids = tail.map(idOf).filter((id) => id <= upto);
  await extendMemo(head, memo, ids, { upto, seen: { last, at: now } });
}

function idOf({ id }: Item): number {
  return Number(id);
}

/** A place counted from the end, as ranks from the beginning. */
function fromEnd(total: number, { from, to }: Ranks): Ranks {
  return { from: Math.max(0, total - to), to: Math.max(0, total - from) };
}

function upTo(count: number, { from, to }: Ranks): Ranks {
  return { from: Math.min(from, count), to: Math.min(to, count) };
}
