import * as z from 'zod';
import { parseStored, sourceOf } from '#lib/records/stored.ts';
import type { Item } from '#lib/table/client.ts';
import { equals, oneOf } from '#lib/table/expression.ts';
import { partition, recordKey, type Tenant } from '#lib/table/keys.ts';
import { listItems } from '#lib/table/list/list.ts';
import { getItems } from '#lib/table/read/get.ts';
import { ALL_IDS, idOf, type Range, readQueryPage } from '#lib/table/read/ranges.ts';
import { ALL_ROWS } from '#lib/table/read/request.ts';
import { holds } from '#lib/trade/hold/record.ts';
import { stockTransfers } from '#lib/trade/transfer/record.ts';
import type { Instant } from '#lib/values/time.ts';

/** A document that has, or has had, committed goods. */
export interface Holder {
  readonly type: string;
  readonly id: number;
  readonly version: number;
  /** True while it has goods. */
  readonly isOpen: boolean;
  /** Its warehouse, or the two of a transfer. */
  readonly stocks: readonly number[];
  readonly products_count: number;
  /** Stock levels of its lines; undefined if they were not read because it has no goods any more. */
  readonly stockLevels?: readonly string[];
}

const Header = z.object({ id: z.int(), version: z.int(), products_count: z.int(), status: z.string() });

/**
 * Document types with committed goods, their status while they have them, and the fields of their warehouses.
 */
export const KINDS = [
  { of: holds, open: 'in_progress', stocks: ['stock_id'] },
  { of: stockTransfers, open: 'in_transit', stocks: ['from_stock_id', 'to_stock_id'] },
] as const;

type Kind = (typeof KINDS)[number];

/** Newest documents per read. */
const NEWEST = 50;

/**
 * Longer than a request plus clock skew: no document with an earlier creation time can still be committed.
 */
const RECENT_MS = 60_000;

/** Returns the name of a document. */
export function documentNameOf({ type, id }: Pick<Holder, 'type' | 'id'>): string {
  return `${type} ${id}`;
}

/** Reads documents again in their current state. */
export async function readAgain(tenant: Tenant, holders: readonly Holder[]): Promise<Holder[]> {
  const items = await getItems(holders.map(({ type, id }) => recordKey(type, tenant, id)));
  return items.map((item, index) => {
    const kind = KINDS.find(({ of }) => of.type === holders[index]?.type) ?? KINDS[0];
    return holderOf(kind, parseStored(z.record(z.string(), z.unknown()), item));
  });
}

/** Reads the documents that have goods of warehouses, or goods on their way to them. */
export async function readOpen(kind: Kind, tenant: Tenant, stockIds: readonly number[]): Promise<Holder[]> {
  const found = await Promise.all(
    kind.stocks.map((field) => {
      const where = [equals('status', kind.open), oneOf(field, stockIds)];
      return listItems(sourceOf(kind.of, tenant), { ...ALL_ROWS, where });
    }),
  );
  return found.flatMap(({ rows }) => rows.map((row) => holderOf(kind, row)));
}

/** Reads the newest documents, back to a creation time before which none can still be committed. */
export async function readRecent(kind: Kind, tenant: Tenant, since: Instant): Promise<Holder[]> {
  const found: Item[] = [];
  const isRecent = ({ created_at }: Item) => Number(created_at) >= since - RECENT_MS;
  const only = ['created_at', 'status', 'version', 'products_count', ...kind.stocks];
  for (let left: Range | undefined = ALL_IDS; left; ) {
    const answer = await readQueryPage(
      partition(kind.of.type, tenant),
      left,
      { where: [], only, max: NEWEST },
      true,
    );
    found.push(...answer.items.filter(isRecent));
    left = answer.items.some(isRecent) ? answer.left : undefined;
  }
  return found.map((item) => holderOf(kind, item));
}

function holderOf({ of, open, stocks }: Kind, item: Item): Holder {
  const { version, products_count, status } = parseStored(Header, item);
  const places = stocks.map((field) => Number(item[field]));
  return { type: of.type, id: idOf(item), version, products_count, isOpen: status === open, stocks: places };
}
