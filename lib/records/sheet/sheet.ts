import type * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { fileResponse } from '#lib/files/links.ts';
import { type Cell, writeSheet } from '#lib/files/sheet-writer.ts';
import { WORKBOOK_TYPE } from '#lib/files/workbooks.ts';
import { type DocumentType, documentConditions } from '#lib/records/documents.ts';
import { type DocumentSchema, sourceOf } from '#lib/records/stored.ts';
import type { Item } from '#lib/table/client.ts';
import type { Expression } from '#lib/table/expression.ts';
import { addressOf, type Key, type Source } from '#lib/table/keys.ts';
import { listIds, walkRows } from '#lib/table/list/walk-list.ts';
import { getItems } from '#lib/table/read/get.ts';
import { invalid } from '#lib/values/api-error.ts';
import { type LabelKey, translateLabel } from '#lib/values/labels/label.ts';
import type { Locale } from '#lib/values/text.ts';
import { dayOf } from '#lib/values/time.ts';
import { type Column, columnsOf, type Link, type Shape, type SheetCall } from './column.ts';

/** Limit of rows that 29 seconds are certainly enough for: `docs/measured.md`. */
const MAX_ROWS = 100_000;

/** Values of rows that are stored apart from them. */
interface Completion {
  /** Fields of a row by which its values are found. */
  readonly fields: readonly string[];
  /** Adds their values to a thousand rows. */
  readonly complete: (rows: readonly Item[]) => Promise<readonly Item[]>;
}

const AS_STORED: Completion = { fields: [], complete: async (rows) => rows };

/**
 * Returns the workbook of a list of documents within the caller's reach. As `rowSheet`. Contract 1,
 * "format=excel".
 */
export function documentSheet<S extends DocumentSchema, F extends Shape>(
  type: DocumentType<S>,
  schema: z.ZodObject<F>,
  title: LabelKey,
  columnsWith: (makers: ReturnType<typeof columnsOf<F>>) => readonly Column[],
) {
  const sheet = rowSheet(schema, title, columnsWith);
  return {
    async give(call: SheetCall & { readonly actor: Staff }) {
      const where = await documentConditions(type, call.actor, call.query);
      return sheet.give(sourceOf(type, call.actor.tenant), where, call);
    },
  };
}

/**
 * Returns the workbook of a list: the rows of all pages of the same query without `format`, read a thousand
 * at a time with only the fields of the columns, each in its state when it is read. 422 on `format` if there
 * are more than a hundred thousand.
 */
export function rowSheet<F extends Shape>(
  { shape }: z.ZodObject<F>,
  /** The name of the file and of its sheet. */
  title: LabelKey,
  columnsWith: (makers: ReturnType<typeof columnsOf<F>>) => readonly Column[],
) {
  const columns = columnsWith(columnsOf(shape));
  const only = [...new Set(columns.flatMap(({ fields }) => fields))];
  return {
    async give(
      source: Source,
      where: readonly Expression[],
      call: SheetCall,
      { fields, complete }: Completion = AS_STORED,
    ) {
      const { query, locale, at } = call;
      const list = { where, sort: query.sort, only: [...new Set([...only, ...fields])] };
      const { ids, total } = await listIds(source, list, MAX_ROWS);
      if (total > MAX_ROWS)
        throw invalid({ format: { key: 'list.too_long_for_workbook', with: { max: MAX_ROWS } } });
      const name = translateLabel(locale, { key: title });
      const headings = columns.map(({ heading, kind }) => ({
        heading: translateLabel(locale, heading),
        kind,
      }));
      const rows = completeSteps(walkRows(source, ids, list), complete);
      const content = await writeSheet(name, headings, cellsOf(rows, columns, call));
      return fileResponse({ filename: `${name} ${dayOf(at)}.xlsx`, type: WORKBOOK_TYPE, content });
    },
  };
}

async function* completeSteps(
  steps: AsyncIterable<Item[]>,
  complete: Completion['complete'],
): AsyncGenerator<readonly Item[], undefined> {
  for await (const rows of steps) yield await complete(rows);
}

async function* cellsOf(
  rows: AsyncIterable<readonly Item[]>,
  columns: readonly Column[],
  call: SheetCall,
): AsyncGenerator<Cell[][], undefined> {
  const names = columns.map(({ link }) => link && new LinkedNames(link, call.locale));
  for await (const items of rows) {
    await Promise.all(names.map((each) => each?.read(items)));
    yield items.map((row) =>
      columns.map(({ of }, index) => names[index]?.nameFor(row) ?? textOrNumber(of(row, call), call)),
    );
  }
}

function textOrNumber(content: ReturnType<Column['of']>, { locale }: SheetCall): Cell {
  return typeof content === 'object' && content !== null
    ? translateLabel(locale, content)
    : (content ?? null);
}

/** Names of the records that rows refer to. Each record is read once, and only its name is stored. */
class LinkedNames {
  readonly #link: Link;
  readonly #locale: Locale;
  readonly #names = new Map<string, string | null>();

  constructor(link: Link, locale: Locale) {
    this.#link = link;
    this.#locale = locale;
  }

  /** Reads the records not referenced by earlier rows. */
  async read(rows: readonly Item[]): Promise<void> {
    const keys = rows.flatMap((row) => this.#keyOf(row) ?? []);
    const all = keys.map((key) => [addressOf(key), key] as const);
    const unread = new Map(all.filter(([address]) => !this.#names.has(address)));
    const items = await getItems([...unread.values()]);
    for (const [index, address] of [...unread.keys()].entries()) {
      const item = items[index];
      const name = item && this.#link.nameOf(item, this.#locale);
      this.#names.set(address, typeof name === 'string' ? name : null);
    }
  }

  nameFor(row: Item): string | null {
    const key = this.#keyOf(row);
    return (key && this.#names.get(addressOf(key))) ?? null;
  }

  #keyOf(row: Item): Key | undefined {
    return this.#link.embed.keysOf(row)[0];
  }
}
