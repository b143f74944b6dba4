import type { Expression } from '#lib/table/expression.ts';
import type { Range } from '#lib/table/list/ranges.ts';
import type { ListRequest, Source } from '#lib/table/list/request.ts';
import { daysAsked } from '#lib/table/list-index/days.ts';
import type { State } from '#lib/table/list-index/state.ts';
import { textOf, type Value } from '#lib/table/list-index/value.ts';

/** A request's question to the indexes: for each field one of some values, and days. */
export interface Wanted {
  readonly fields: readonly WantedField[];
  /** The days of making, first and last; undefined if any will do. */
  readonly days: Range | undefined;
}

interface WantedField {
  readonly field: string;
  readonly texts: ReadonlySet<string>;
}

/** Finds what a request asks of the indexes; undefined if it asks for more than they know. */
export function wantedOf({ indexes = [] }: Source, { where, sort }: ListRequest): Wanted | undefined {
  if (sort.field !== 'id') return undefined;
  const fields = new Map<string, ReadonlySet<string>>();
  let days: Range | undefined;
  for (const expression of where) {
    const asked = fieldAsked(expression, indexes);
    const period = daysAsked(expression);
    if (asked) fields.set(asked.field, common(fields.get(asked.field), asked.texts));
    else if (period && !days) days = period;
    else return undefined;
  }
  return { fields: [...fields].map(([field, texts]) => ({ field, texts })), days };
}

/** Tells whether the indexes of a source, as they are now, can tell what is wanted. */
export function isKnown({ fields, days }: Wanted, state: State, zone: string): boolean {
  return fields.every(({ field }) => state.fields.includes(field)) && (!days || state.zone === zone);
}

/** Lists all values whose indexes are wanted. */
export function valuesOf({ fields }: Wanted): Value[] {
  return fields.flatMap(({ field, texts }) => [...texts].map((text) => ({ field, text })));
}

function fieldAsked({ paths, values }: Expression, indexes: readonly string[]): WantedField | undefined {
  const [field = ''] = paths;
  if (!values || !indexes.includes(field)) return undefined;
  const texts = values.map(textOf);
  // A value without a text has no index.
  if (texts.includes(null)) return undefined;
  return { field, texts: new Set(texts.filter((text) => text !== null)) };
}

function common(a: ReadonlySet<string> | undefined, b: ReadonlySet<string>): ReadonlySet<string> {
  return a ? new Set([...a].filter((text) => b.has(text))) : b;
}
