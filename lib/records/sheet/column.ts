import type * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import type { Cell, CellKind } from '#lib/files/sheet-writer.ts';
import type { Embed } from '#lib/records/query/embeds.ts';
import type { ListQuery } from '#lib/records/query/list-query.ts';
import { parseStored } from '#lib/records/stored.ts';
import type { Item } from '#lib/table/client.ts';
import type { Label, LabelKey } from '#lib/values/labels/label.ts';
import type { Currency } from '#lib/values/money.ts';
import type { Locale } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';

/** The caller of a list as a workbook: with the part of it, the language and the time. */
export interface SheetCall {
  readonly actor: Staff;
  readonly query: ListQuery;
  readonly locale: Locale;
  readonly at: Instant;
}

/** What a column says of a row; a label is said in the caller's language, undefined is an empty cell. */
type Content = Cell | Label | undefined;

/** A column of a list's workbook. */
export interface Column {
  readonly heading: Label;
  readonly kind: CellKind;
  /** Fields of a row, the only ones that the column reads. */
  readonly fields: readonly string[];
  readonly of: (row: Item, call: SheetCall) => Content;
  /** Set if it names a record that the row points at; `of` is for a row that points at none. */
  readonly link?: Link;
}

/** A record that rows point at, and what a sheet calls it. */
export interface Link {
  readonly embed: Embed;
  readonly nameOf: (record: Item) => unknown;
}

/** The fields of a schema. */
export type Shape = Readonly<Record<string, z.ZodType>>;

type Field<S extends Shape> = keyof S & string;

/** Fields whose heading is `column.<field>`. */
type Headed = LabelKey extends infer K ? (K extends `column.${infer F}` ? F : never) : never;

type Render<S extends Shape, F extends Field<S>> = (value: z.input<S[F]>) => Content;

/** Makes the makers of columns for the fields of a schema. */
export function columnsOf<S extends Shape>(shape: S) {
  /** Makes a column of a field, as it is or as it is rendered, under a heading. */
  function columnUnder<F extends Field<S>>(
    heading: LabelKey | Label,
    field: F,
    kind: CellKind,
    render: Render<S, F> = contentOf,
  ): Column {
    const schema: S[F] = shape[field];
    const of = (row: Item) => render(parseStored(schema, row[field]));
    return { heading: labelOf(heading), kind, fields: [field], of };
  }
  /** Makes such a column under the heading that its field has in the catalogue. */
  function column<F extends Field<S> & Headed>(field: F, kind: CellKind, render?: Render<S, F>): Column {
    return columnUnder(`column.${field}`, field, kind, render);
  }
  return { column, columnUnder };
}

/** Makes a column of what several fields, those of the schema `row`, give together. */
export function rowColumn<R extends z.ZodObject>(
  heading: LabelKey | Label,
  kind: CellKind,
  row: R,
  of: (row: z.input<R>, call: SheetCall) => Content,
): Column {
  return {
    heading: labelOf(heading),
    kind,
    fields: Object.keys(row.shape),
    of: (item, call) => of(parseStored(row, item), call),
  };
}

/** Makes a column of a record that the row points at: its `name`, or as it is called otherwise. */
export function linkColumn(key: LabelKey, embed: Embed, name: string | Link['nameOf'] = 'name') {
  return {
    heading: { key },
    kind: 'text',
    fields: [`${embed.field}_id`],
    of: () => null,
    link: { embed, nameOf: typeof name === 'string' ? (record: Item) => record[name] : name },
  } as const satisfies Column;
}

/** Makes the heading of an amount in a currency. */
export function amountIn(currency: Currency): Label {
  return { key: 'column.amount_in', with: { currency: currency.toUpperCase() } };
}

/** Renders a word of the schema, such as a currency, in capitals. */
export function inCapitals(word: string): string {
  return word.toUpperCase();
}

function labelOf(heading: LabelKey | Label): Label {
  return typeof heading === 'string' ? { key: heading } : heading;
}

function contentOf(value: unknown): Cell {
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}
