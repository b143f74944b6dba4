import type * as z from 'zod';
import type { Cell, CellKind } from '#lib/files/sheet-writer.ts';
import type { Embed } from '#lib/records/query/embeds.ts';
import type { ListQuery } from '#lib/records/query/list-query.ts';
import { parseStored, parseStoredField } from '#lib/records/stored.ts';
import type { Item } from '#lib/table/client.ts';
import { requestContext } from '#lib/table/request-context.ts';
import { costMarkOf } from '#lib/values/cost.ts';
import type { Label, LabelKey } from '#lib/values/labels/label.ts';
import type { Currency } from '#lib/values/money.ts';
import type { Locale } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';

/** The call for a list as a workbook: query, language and time. */
export interface SheetCall {
  readonly query: ListQuery;
  readonly locale: Locale;
  readonly at: Instant;
}

/** The content of a cell; a label is translated, undefined is an empty cell. */
type Content = Cell | Label | undefined;

/** A column of a list's workbook. */
export interface Column {
  readonly heading: Label;
  readonly kind: CellKind;
  /** Fields of a row that the column reads. */
  readonly fields: readonly string[];
  readonly of: (row: Item, call: SheetCall) => Content;
  /** Set if it shows the name of a referenced record; `of` is for a row without a reference. */
  readonly link?: Link;
}

/** A record that rows refer to, and its name in the sheet. */
export interface Link {
  readonly embed: Embed;
  readonly nameOf: (record: Item, locale: Locale) => unknown;
}

/** The fields of a schema. */
export type Shape = Readonly<Record<string, z.ZodType>>;

type Field<S extends Shape> = keyof S & string;

/** Fields with a heading `column.<field>`. */
type Headed = LabelKey extends infer K ? (K extends `column.${infer F}` ? F : never) : never;

type Render<S extends Shape, F extends Field<S>> = (value: z.input<S[F]>) => Content;

/** Returns the column factories for the fields of a schema. */
export function columnsOf<S extends Shape>(shape: S) {
  /** Returns a column of a field, plain or rendered, under a heading. */
  function columnUnder<F extends Field<S>>(
    heading: LabelKey | Label,
    field: F,
    kind: CellKind,
    render: Render<S, F> = contentOf,
  ): Column {
    const schema: S[F] = shape[field];
    const of = (row: Item) =>
      isHidden(row, { [field]: schema }) ? null : render(parseStoredField(schema, row[field]));
    return { heading: labelOf(heading), kind, fields: [field], of };
  }
  /** Returns such a column under the field's own heading in the catalogue. */
  function column<F extends Field<S> & Headed>(field: F, kind: CellKind, render?: Render<S, F>): Column {
    return columnUnder(`column.${field}`, field, kind, render);
  }
  return { column, columnUnder };
}

/** Returns a column computed from several fields, those of the schema `row`. */
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
    of: (item, call) => (isHidden(item, row.shape) ? null : of(parseStored(row, item), call)),
  };
}

/** Returns whether one of the fields of a cell reveals a cost that the caller may not see. Part 5, 5A.13. */
function isHidden(row: Item, fields: Shape): boolean {
  if (!requestContext().hidesCosts) return false;
  return Object.values(fields).some((field) => costMarkOf(field)?.isIn(row));
}

/** Returns a column of a referenced record: its `name`, or another one. */
export function linkColumn(key: LabelKey, embed: Embed, name: string | Link['nameOf'] = 'name') {
  return {
    heading: { key },
    kind: 'text',
    fields: [`${embed.field}_id`],
    of: () => null,
    link: { embed, nameOf: typeof name === 'string' ? (record: Item) => record[name] : name },
  } as const satisfies Column;
}

/** Returns the heading of an amount in a currency. */
export function amountIn(currency: Currency): Label {
  return { key: 'column.amount_in', with: { currency: currency.toUpperCase() } };
}

/** Renders a word of the schema, e.g. a currency, in capitals. */
export function inCapitals(word: string): string {
  return word.toUpperCase();
}

function labelOf(heading: LabelKey | Label): Label {
  return typeof heading === 'string' ? { key: heading } : heading;
}

function contentOf(value: unknown): Cell {
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}
