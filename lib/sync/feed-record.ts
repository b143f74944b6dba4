import { SyncType } from '#lib/records/sync-type.ts';
import type { FeedEntry, FeedPage } from '#lib/table/feed/pages.ts';
import { Currency } from '#lib/values/money.ts';
import type { RequestedEntry } from './entries.ts';
import type { DeltaPosition } from './position.ts';

/** A record that the feed tells of, and the place after it. */
export interface FeedRecord {
  readonly asked: RequestedEntry;
  readonly entry: FeedEntry;
  readonly after: DeltaPosition;
}

/** The company, the desk and the warehouse that an entry names. */
export type EntryPlaces = readonly (number | null | undefined)[];

/** Lists the records that a page of a feed tells of, from a place on. */
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

/** Lists the records that an entry tells of: a company's rates are shown as long as the company is. */
function recordsOf([name, id, companyId, , stockId]: FeedEntry): RequestedEntry[] {
  const type = SyncType.safeParse(name).data;
  if (!type) return [];
  if (type !== 'company.company') return [{ type, id, companyId, stockId }];
  const rates = Currency.options.map((_, index) => {
    return { type: 'cashbox.currency-rate', id: -1 - index, companyId: id } as const;
  });
  return [{ type, id }, ...rates];
}

/** Gives the places of a record by an entry, and those before it if it tells a move. */
export function placesIn([, , ...places]: FeedEntry): {
  readonly is: EntryPlaces;
  readonly was: EntryPlaces | undefined;
} {
  return { is: places.slice(0, 3), was: places.length > 3 ? places.slice(3) : undefined };
}

/** Lists each record once, at its first place: it is shown as it is now. */
export function uniqueRecords(told: readonly FeedRecord[]): FeedRecord[] {
  const first = new Map<string, FeedRecord>();
  for (const each of told) {
    const { type, id, companyId } = each.asked;
    const name = id < 0 ? `${type} ${id} ${companyId}` : `${type} ${id}`;
    if (!first.has(name)) first.set(name, each);
  }
  return [...first.values()];
}
