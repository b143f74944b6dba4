import type { Notice } from '#lib/table/change/write.ts';
import type { Source } from '#lib/table/rows/request.ts';

/** New records that are worth a fold: each reader reads those that are not in the indexes yet. */
export const STRETCH = 64;

/** Makes the notice about a source: its type and home, and which fields have an index. */
export function noticeOf({ type, home, indexes = [] }: Source): Notice {
  return { type, home, fields: indexes };
}

/** Makes the notice of a new record; only one in `STRETCH` has one. */
export function insertionNotice(source: Source, id: number): { readonly notice?: Notice } {
  return id % STRETCH === 0 ? { notice: noticeOf(source) } : {};
}
