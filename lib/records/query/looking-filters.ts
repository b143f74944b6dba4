import * as z from 'zod';
import type { Item } from '#lib/table/client.ts';
import { all, atLeast, type Expression, type Look, lessThan, present } from '#lib/table/expression.ts';
import { MAX_LOOKED } from '#lib/table/list/looked-page.ts';
import { amount } from '#lib/values/money.ts';
import type { Filter } from './filters.ts';

/*
 * Filters without an index, which look at the rows that the other filters leave. Part 5, 5B.7, 4.
 */

/** Rows that a filter by product or service looks at. */
const MAX_WITH_LINES = 2000;

/** Filters by an amount, from `[0]` to `[1]`, either of which may be omitted. */
export function amountRange(field: string): Filter {
  return z
    .strictObject({ 0: amount(0).optional(), 1: amount(0).optional() })
    .transform(({ 0: from = 0, 1: to = Number.MAX_SAFE_INTEGER - 1 }) => ({
      ...all([atLeast(field, from), lessThan(field, to + 1)]),
      look: { max: MAX_LOOKED },
    }));
}

/** Filters by a field of the elements of a list in the row: one of them must equal the value. */
export function anyElement(list: string, field: string, value: z.ZodType, max = MAX_LOOKED): Filter {
  return value.transform((expected) =>
    lookingAt(list, { max }, (row) => elementsOf(row[list]).some((element) => element[field] === expected)),
  );
}

/** Filters by a service among those that the row holds. */
export function anyService(value: z.ZodType): Filter {
  return anyElement('services', 'service_id', value, MAX_WITH_LINES);
}

/** Filters by lines stored beside the rows: `choose` returns the rows that have one with the value. */
export function anyLine<T>(
  value: z.ZodType<T>,
  choose: (sought: T, ...read: Parameters<Chooser>) => ReturnType<Chooser>,
): Filter {
  return value.transform((sought) =>
    lookingAt(
      'id',
      { max: MAX_WITH_LINES, choose: (tenant, rows) => choose(sought, tenant, rows) },
      () => true,
    ),
  );
}

type Chooser = NonNullable<Look['choose']>;

/** Returns a condition that DynamoDB can't decide. */
function lookingAt(path: string, look: Look, matches: (row: Item) => boolean): Expression {
  return { render: present('pk').render, paths: [path], matches, look };
}

const Elements = z.array(z.record(z.string(), z.unknown()));

function elementsOf(stored: unknown) {
  return Elements.safeParse(stored).data ?? [];
}
