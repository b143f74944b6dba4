import * as z from 'zod';
import { put, type Write } from '#lib/table/change/write.ts';
import { absent, any, lessThan } from '#lib/table/expression.ts';
import { type Key, padId, type Tenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import type { Instant } from '#lib/values/time.ts';

/** Longer than the stream keeps a record, which may come again. */
const RETENTION_S = 7 * 86_400;

const Mark = z.object({ at: z.number() });

/** The latest notification about a record. */
interface Marked {
  readonly tenant: Tenant;
  readonly kind: string;
  readonly id: number;
}

/** Reads the time of the latest notification about a record; undefined if there was none. */
export async function readMark(marked: Marked): Promise<Instant | undefined> {
  const item = await getItem(markKey(marked));
  return item && Mark.parse(item).at;
}

/** Builds the write that marks a notification; `Contention` if there was one at `since` or later. */
export function markWrite(marked: Marked, at: Instant, since: Instant): Write {
  const item = { at, expires_at: Math.floor(at / 1000) + RETENTION_S };
  return put(markKey(marked), item, { if: any([absent('at'), lessThan('at', since)]) });
}

function markKey({ tenant, kind, id }: Marked): Key {
  return { pk: `notified#${tenant}`, sk: `${kind}-${padId(id)}` };
}
