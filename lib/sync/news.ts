import type { Staff } from '#lib/access/actor.ts';
import { CopiedType } from '#lib/records/copied-type.ts';
import type { Expression } from '#lib/table/expression.ts';
import { type FeedEntry, type FeedPage, readFeed } from '#lib/table/feed/pages.ts';
import { Currency } from '#lib/values/money.ts';
import { Refusal } from '#lib/values/refusal.ts';
import type { CopiedNoun } from './copy/copy.ts';
import { type Asked, findInReach } from './entries.ts';
import type { ChangePlace, Stretch } from './place.ts';

/*
 * The changes after the first part, in the order of the family's feed. It has keys only, and each record is
 * read as it is now: what changed several times since may come once, and what came already at the same
 * revision may come again, but nothing is passed over.
 */

/** As many pages of a feed are looked at, and as many entries in them. */
const MOST_PAGES = 200;
const MOST_ENTRIES = 10_000;

/** A record that the feed tells of, and the place after it. */
interface Told {
  readonly asked: Asked;
  readonly entry: FeedEntry;
  readonly after: ChangePlace;
}

/** Reads on from a place. Two round trips, one if there is nothing. 410 if pages after it are gone. */
export async function readNews(
  actor: Staff,
  copies: readonly CopiedNoun[],
  { from, most }: { readonly from: ChangePlace; readonly most: number },
): Promise<Stretch> {
  const [pages, reaches] = await Promise.all([
    readFeed(actor.home, from.page, MOST_PAGES),
    readReaches(actor, copies),
  ]);
  if (!pages) throw new Refusal(410, { key: 'sync.begin_again' });
  const last = pages.at(-1);
  if (!last) return { candidates: [], end: from, isEnd: true };
  const told = pages.flatMap((page) => recordsIn(page, from)).slice(0, MOST_ENTRIES);
  if (told.some((each) => changesReach(actor, reaches, each))) {
    throw new Refusal(410, { key: 'sync.reach_changed' });
  }
  const news = distinct(told.filter(({ asked, entry }) => mayConcern(reaches, asked, placesOf(entry).is)));
  const chosen = news.slice(0, most);
  const found = await findInReach(
    actor,
    chosen.map(({ asked }) => asked),
  );
  const candidates = found.flatMap((each, index) => {
    const after = chosen[index]?.after;
    return each && after ? [{ ...each, after }] : [];
  });
  const isCut = chosen.length < news.length;
  const reached = isCut ? chosen.at(-1) : told.length < MOST_ENTRIES ? undefined : told.at(-1);
  const end = reached?.after ?? { page: last.number, entries: 0, records: 0 };
  return { candidates, end, isEnd: !reached && pages.length < MOST_PAGES };
}

type Reaches = ReadonlyMap<string, readonly Expression[]>;

async function readReaches(actor: Staff, copies: readonly CopiedNoun[]): Promise<Reaches> {
  return new Map(
    await Promise.all(copies.map(async ({ type, reach }) => [type, await reach(actor)] as const)),
  );
}

/** Lists the records that a page of a feed tells of, from a place on. */
function recordsIn({ number, entries }: FeedPage, from: ChangePlace): Told[] {
  const done = number === from.page + 1 ? from : { entries: 0, records: 0 };
  return entries.flatMap((entry, index) => {
    const before = index === done.entries ? done.records : 0;
    if (index < done.entries) return [];
    const records = recordsOf(entry);
    return records.flatMap((asked, record): Told[] => {
      if (record < before) return [];
      const isLast = record === records.length - 1;
      const after = isLast ? { entries: index + 1, records: 0 } : { entries: index, records: record + 1 };
      return [{ asked, entry, after: { page: number - 1, ...after } }];
    });
  });
}

/** Lists the records that an entry tells of: a company's rates are shown as long as the company is. */
function recordsOf([name, id, companyId]: FeedEntry): Asked[] {
  const type = CopiedType.safeParse(name).data;
  if (!type) return [];
  if (type !== 'company.company') return [{ type, id, companyId }];
  const rates = Currency.options.map((_, index) => {
    return { type: 'cashbox.currency-rate', id: -1 - index, companyId: id } as const;
  });
  return [{ type, id }, ...rates];
}

type Places = readonly (number | null | undefined)[];

/** Tells whether a record at some places may be one that is copied and in reach, as far as these tell. */
function mayConcern(
  reaches: Reaches,
  { type, id }: Asked,
  [company_id, cashbox_id, stock_id]: Places,
): boolean {
  const told = Object.entries({ id, company_id, cashbox_id, stock_id });
  const known = Object.fromEntries(told.filter(([, value]) => typeof value === 'number'));
  const isKnown = (path: string) => path in known;
  return reaches.get(type)?.every(({ paths, matches }) => !paths.every(isKnown) || matches(known)) ?? false;
}

function placesOf([, , ...places]: FeedEntry): { readonly is: Places; readonly was: Places | undefined } {
  return { is: places.slice(0, 3), was: places.length > 3 ? places.slice(3) : undefined };
}

const PLACES: readonly CopiedType[] = ['cashbox.cashbox', 'stock.stock'];

/**
 * Tells whether a move takes records out of a caller's reach or into it: a desk or warehouse that goes from
 * or to a company of theirs, or a record that goes from a place of theirs to another.
 */
function changesReach({ companies }: Staff, reaches: Reaches, { asked, entry }: Told): boolean {
  const { is, was } = placesOf(entry);
  if (!was) return false;
  const isTheirs = ([company]: Places) => companies === 'all' || companies.includes(company ?? 0);
  if (PLACES.includes(asked.type)) return is[0] !== was[0] && (isTheirs(is) || isTheirs(was));
  return mayConcern(reaches, asked, was) && !mayConcern(reaches, asked, is);
}

function distinct(told: readonly Told[]): Told[] {
  const first = new Map<string, Told>();
  for (const each of told) {
    const { type, id, companyId } = each.asked;
    const name = id < 0 ? `${type} ${id} ${companyId}` : `${type} ${id}`;
    if (!first.has(name)) first.set(name, each);
  }
  return [...first.values()];
}
