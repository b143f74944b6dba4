import { SyncType } from '#lib/records/sync-type.ts';
import type { FeedEntry, FeedPage } from '#lib/table/feed/pages.ts';
import { Currency } from '#lib/values/money.ts';
import type { RequestedEntry } from './entries.ts';
import type { DeltaPosition } from './position.ts';

/** A record named by the feed, and the position after it. */
export interface FeedRecord {
  readonly asked: RequestedEntry;
  readonly entry: FeedEntry;
  readonly after: DeltaPosition;
}

/** Company, desk and warehouse of a feed entry. */
export type EntryPlaces = readonly (number | null | undefined)[];

/** Lists the records of a feed page after a position. */
export function recordsIn({ number, entries }: FeedPage, from: DeltaPosition): FeedRecord[] {
  const done = number === from.page + 1 ? from : { entries: 0, records: 0 };
  return entries.flatMap((entry, index) => {
    const before = index === done.entries ? done.records : 0;
    if (index < done.entries) return [];
    const records = recordsOf(entry);
    return records.flatMap((asked, record): FeedRecord[] => {
      if (record < before) return [];
      const isLast = record === records.length - 1;
      const after = isLast ? { entries: index + 1, records: 0 } : { entries: index, records: record + 1 };
      return [{ asked, entry, after: { page: number - 1, ...after } }];
    });
  });
}

/** Lists the records of an entry: a company's deletion or restoration affects its rates too. */
function recordsOf([name, id, companyId, , stockId]: FeedEntry): RequestedEntry[] {
  const type = SyncType.safeParse(name).data;
  if (!type) return [];
  if (type !== 'company.company') return [{ type, id, companyId, stockId }];
  const rates = Currency.options.map((_, index) => {
    return { type: 'cashbox.currency-rate', id: -1 - index, companyId: id } as const;
  });
  return [{ type, id }, ...rates];
}

/** Returns the places of a record in an entry, and the former ones if it was moved. */
export function placesIn([, , ...places]: FeedEntry): {
  readonly is: EntryPlaces;
  readonly was: EntryPlaces | undefined;
} {
  return { is: places.slice(0, 3), was: places.length > 3 ? places.slice(3) : undefined };
}

/** Lists each record once, at its first position: it is shown in its current state. */
export function uniqueRecords(named: readonly FeedRecord[]): FeedRecord[] {
  const first = new Map<string, FeedRecord>();
  for (const each of named) {
    const { type, id, companyId } = each.asked;
    const name = id < 0 ? `${type} ${id} ${companyId}` : `${type} ${id}`;
    if (!first.has(name)) first.set(name, each);
  }
  return [...first.values()];
}
