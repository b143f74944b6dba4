import type { Staff } from '#lib/access/actor.ts';
import type { Item } from '#lib/table/client.ts';
import { partition, recordKey } from '#lib/table/keys.ts';
import { getItems, walk } from '#lib/table/read/get.ts';
import { LISTS, type List } from './all-lists.ts';
import type { Books } from './frame/books.ts';
import { readerOf } from './reader.ts';

/** Rows in a page: many more than callers get, so that large lists are walked in time. */
const PAGE_SIZE = 500;

/** Values of a filter that are tried, at most. */
const MOST_VALUES = 20;

/** Checks that every list shows what is in the table, by walking all its pages, whole and by its filters. */
export async function checkLists(books: Books, lists = LISTS): Promise<void> {
  for (const list of lists) {
    const rows: Item[] = [];
    for await (const items of walk(partition(list.type, books.home))) {
      rows.push(...items.map((item) => pick(item, ['id', ...list.fields])));
    }
    await checkList(books, list, rows, undefined);
    for (const field of list.fields) {
      const values = new Set(rows.map((row) => row[field]).filter((value) => value !== null));
      for (const value of [...values].slice(0, MOST_VALUES)) {
        const matching = rows.filter((row) => row[field] === value);
        await checkList(books, list, matching, { [field]: value });
      }
    }
  }
}

async function checkList(books: Books, list: List, rows: readonly Item[], filter: Item | undefined) {
  const { ids, total } = await walkPages(readerOf(books.familyId), list, filter);
  const subject = `list of ${list.type}${filter ? ` by ${JSON.stringify(filter)}` : ''}`;
  const report = (what: string, concerned: readonly number[] = []) => {
    const keys = concerned.slice(0, 20).map((id) => recordKey(list.type, books.home, id));
    books.report({ book: 'lists', subject, keys }, [what]);
  };
  books.count('lists');
  books.count('rows of lists', ids.length);
  const listed = new Set(ids);
  const stored = new Set(rows.map(({ id }) => Number(id)));
  if (listed.size !== ids.length) report('shows a row twice');
  if (total !== ids.length) report(`says ${total}, but shows ${ids.length} rows`);
  const unlisted = await stillMatching(
    books,
    list,
    filter,
    [...stored].filter((id) => !listed.has(id)),
  );
  if (unlisted.length > 0) report(`does not show ${unlisted.join(', ')}`, unlisted);
  // Rows may have come since the table was read.
  const unknown = ids.filter((id) => !stored.has(id));
  const there = new Set(await stillMatching(books, list, filter, unknown));
  const wrong = unknown.filter((id) => !there.has(id));
  if (wrong.length > 0) report(`shows ${wrong.join(', ')}, which don't belong in it`, wrong);
}

async function walkPages(actor: Staff, { query, page }: List, filter: Item | undefined) {
  const ids: number[] = [];
  for (let number = 1; ; number++) {
    const asked = query.parse({ sort: ['id'], page: number, ...(filter && { filter }) });
    const { rows, total } = await page(actor, { ...asked, pageSize: PAGE_SIZE });
    ids.push(...rows.map(({ id }) => id));
    if (rows.length < PAGE_SIZE) return { ids, total };
  }
}

/** Picks the rows that belong in the list at this moment. */
async function stillMatching(books: Books, { type }: List, filter: Item = {}, ids: readonly number[]) {
  const items = await getItems(ids.map((id) => recordKey(type, books.home, id)));
  return ids.filter((_, index) => {
    const item = items[index];
    return item && Object.entries(filter).every(([name, value]) => item[name] === value);
  });
}

function pick(item: Item, names: readonly string[]): Item {
  return Object.fromEntries(names.map((name) => [name, item[name]]));
}
