import type * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { giveFile } from '#lib/files/given.ts';
import { type Cell, type CellKind, writeSheet } from '#lib/files/sheet-writer.ts';
import { WORKBOOK_TYPE } from '#lib/files/workbooks.ts';
import type { Item } from '#lib/table/client.ts';
import { addressOf, type Key } from '#lib/table/keys.ts';
import { listIds, type WholeList, walkRows } from '#lib/table/list/walk-list.ts';
import { getItems } from '#lib/table/read/get.ts';
import type { Source } from '#lib/table/rows/request.ts';
import { type Label, label } from '#lib/values/labels/label.ts';
import type { LabelKey } from '#lib/values/labels/ru.ts';
import type { Currency } from '#lib/values/money.ts';
import { invalid } from '#lib/values/refusal.ts';
import type { Locale } from '#lib/values/text.ts';
import { dayOf, type Instant } from '#lib/values/time.ts';
import { type DocumentSchema, type DocumentType, sourceOf } from './documents.ts';
import type { Embed } from './embeds.ts';
import type { ListQuery } from './list-query.ts';
import { vouched } from './stored.ts';

/** The caller of a list as a workbook: with the part of it, the language and the time. */
interface SheetCall {
  readonly actor: Staff;
  readonly query: ListQuery;
  readonly locale: Locale;
  readonly at: Instant;
}

/** A column of a list's workbook: what a row says itself, or a record that it points at. */
export interface Column<Row> {
  readonly heading: Label;
  readonly kind: CellKind;
  readonly of: (row: Row, call: SheetCall) => Cell | undefined;
  readonly linked?: Link;
}

/** A record that rows point at, and what a sheet calls it. */
interface Link {
  readonly embed: Embed;
  readonly nameOf: (record: Item) => unknown;
}

/** Rows that 29 seconds are surely enough for: `docs/measured.md`. */
const MOST_ROWS = 100_000;

/** The makers of columns. */
interface Making<Row> {
  /** Makes a column of what a row says itself. */
  column(heading: LabelKey | Label, kind: CellKind, of: Column<Row>['of']): Column<Row>;
  /** Makes a column of words, such as those for states. */
  words(heading: LabelKey, wordOf: (row: Row) => LabelKey): Column<Row>;
  /** Makes a column of a record that the row points at: its `name`, or as it is called otherwise. */
  linked(heading: LabelKey, embed: Embed, name?: string | Link['nameOf']): Column<Row>;
}

function makingOf<Row>(): Making<Row> {
  return {
    column: (heading, kind, of) => ({ heading: labelOf(heading), kind, of }),
    words: (key, wordOf) => ({
      heading: { key },
      kind: 'text',
      of: (row, { locale }) => label(locale, { key: wordOf(row) }),
    }),
    linked: (key, embed, name = 'name') => {
      const nameOf: Link['nameOf'] = typeof name === 'string' ? (record) => record[name] : name;
      return { heading: { key }, kind: 'text', of: () => null, linked: { embed, nameOf } };
    },
  };
}

function labelOf(text: LabelKey | Label): Label {
  return typeof text === 'string' ? { key: text } : text;
}

/** Makes the heading of an amount in a currency. */
export function amountIn(currency: Currency): Label {
  return { key: 'column.amount_in', with: { currency: currency.toUpperCase() } };
}

/**
 * Makes the workbook of a list: the rows that the same query without `format` shows, all pages of them, read
 * a thousand at a time, each as it is when it is its turn. 422 on `format` if there are more than a hundred
 * thousand. Decisions, 1, "format=excel".
 */
export function documentSheet<S extends DocumentSchema, R extends z.ZodObject>(
  type: DocumentType<S>,
  /** Fields of the documents for the columns. */
  row: R,
  /** The name of the file and of its sheet. */
  title: LabelKey,
  columnsWith: (making: Making<z.input<R>>) => readonly Column<z.input<R>>[],
) {
  const columns = columnsWith(makingOf());
  return {
    async give(call: SheetCall) {
      const { actor, query, locale, at } = call;
      const source = sourceOf(type, actor.home);
      const where = [...query.where, ...(type.reach?.(actor) ?? [])];
      const list = { where, sort: query.sort, only: Object.keys(row.shape) };
      const { ids, total } = await listIds(source, list, MOST_ROWS);
      if (total > MOST_ROWS)
        throw invalid({ format: { key: 'list.too_long_for_workbook', with: { max: MOST_ROWS } } });
      const name = label(locale, { key: title });
      const headed = columns.map(({ heading, kind }) => ({ heading: label(locale, heading), kind }));
      const content = await writeSheet(name, headed, cellsOf({ source, ids, list }, row, columns, call));
      return giveFile({ filename: `${name} ${dayOf(at)}.xlsx`, type: WORKBOOK_TYPE, content });
    },
  };
}

async function* cellsOf<R extends z.ZodObject>(
  {
    source,
    ids,
    list,
  }: { readonly source: Source; readonly ids: readonly number[]; readonly list: WholeList },
  schema: R,
  columns: readonly Column<z.input<R>>[],
  call: SheetCall,
): AsyncGenerator<(readonly Cell[])[], undefined> {
  const linked = columns.map((each) => each.linked && new Linked(each.linked));
  for await (const items of walkRows(source, ids, list)) {
    await Promise.all(linked.map((each) => each?.read(items)));
    yield items.map((item) => {
      const row = vouched(schema, item);
      return columns.map(({ of }, index) => linked[index]?.textOf(item) ?? of(row, call) ?? null);
    });
  }
}

/** What records are called that rows point at. Each record is read once, and no more of it is kept. */
class Linked {
  readonly #embed: Embed;
  readonly #nameOf: Link['nameOf'];
  readonly #texts = new Map<string, string | null>();

  constructor({ embed, nameOf }: Link) {
    this.#embed = embed;
    this.#nameOf = nameOf;
  }

  /** Reads the records that no row has pointed at yet. */
  async read(rows: readonly Item[]): Promise<void> {
    const keys = rows.flatMap((row) => this.#keyOf(row) ?? []);
    const all = keys.map((key) => [addressOf(key), key] as const);
    const unread = new Map(all.filter(([address]) => !this.#texts.has(address)));
    const items = await getItems([...unread.values()]);
    for (const [index, address] of [...unread.keys()].entries()) {
      const item = items[index];
      const name = item && this.#nameOf(item);
      this.#texts.set(address, typeof name === 'string' ? name : null);
    }
  }

  textOf(row: Item): string | null {
    const key = this.#keyOf(row);
    return (key && this.#texts.get(addressOf(key))) ?? null;
  }

  #keyOf(row: Item): Key | undefined {
    return this.#embed.keysOf(row)[0];
  }
}
