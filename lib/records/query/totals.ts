import * as z from 'zod';
import type { Item } from '#lib/table/client.ts';
import type { Total } from '#lib/table/read/request.ts';
import { COST_RIGHT, Cost, costMarkOf, LargeCost } from '#lib/values/cost.ts';
import { Currency, LargeAmount, type MinorUnits, Money } from '#lib/values/money.ts';

/*
 * `totals=true` of a list: the amounts of the rows of all pages, by currency. They are added up from the rows
 * that the page is taken from, so they match it. Part 5, 5B.7, 3.
 */

/** Amounts of a list's rows, each in the row's `currency`. */
export interface Totaled {
  readonly names: readonly string[];
  /** Those of them that reveal what goods cost. */
  readonly costs?: readonly string[];
  /** Returns the amounts of a stored row; those that it lacks are 0. */
  readonly amountsOf: (row: Item) => Readonly<Record<string, unknown>>;
}

/** Returns all amounts among the fields of rows, but for those that are no part of their currency's total. */
export function amountsIn({ shape }: z.ZodObject, except: readonly string[] = []): Totaled {
  const fields = Object.entries(shape).filter(([name, field]) => isAmount(field) && !except.includes(name));
  return {
    names: fields.map(([name]) => name),
    costs: fields.flatMap(([name, field]) => (costMarkOf(field) ? [name] : [])),
    amountsOf: (row) => row,
  };
}

function isAmount(field: unknown): boolean {
  if (field instanceof z.ZodDefault || field instanceof z.ZodNullable) return isAmount(field.unwrap());
  return field === Money || field === Cost;
}

const Known = z.object({ currency: Currency });

/** Adds up rows by currency, exactly. */
export function addUpRows({ names, amountsOf }: Totaled, rows: readonly Item[]): Total[] {
  const byCurrency = Map.groupBy(rows, (row) => Known.parse(row).currency);
  return Currency.options.flatMap((currency) => {
    const some = byCurrency.get(currency);
    if (!some) return [];
    const amounts = some.map(amountsOf);
    const sums = names.map((name) => [name, sumOf(amounts.map((row) => row[name]))] as const);
    return [{ currency, count: some.length, amounts: Object.fromEntries(sums) }];
  });
}

function sumOf(amounts: readonly unknown[]): bigint {
  return amounts.reduce<bigint>((sum, each) => sum + BigInt(numberIn(each)), 0n);
}

function numberIn(amount: unknown): MinorUnits {
  return typeof amount === 'number' ? amount : 0;
}

const Kept = z.object({
  currency: Currency,
  count: z.int(),
  amounts: z.record(z.string(), z.bigint().nullable()),
});

/** Returns the schema of totals in a response: null stands for an amount that the rows hide. */
export function totalsSchema({ names, costs = [] }: Totaled) {
  const fields: Record<string, z.ZodType> = {
    currency: Currency,
    count: z.int(),
  };
  for (const name of names) {
    const isCost = costs.includes(name);
    const without = isCost ? `Null without the right \`${COST_RIGHT}\`.` : 'Null if they hide it.';
    const description = `Total \`${name}\` of the rows, up to 2 decimals. ${without}`;
    fields[name] = (isCost ? LargeCost : LargeAmount).nullable().meta({ description });
  }
  return z.array(
    z.codec(Kept, z.object(fields), {
      decode: ({ amounts, ...row }) => ({ ...row, ...amounts }),
      encode: ({ currency, count, ...amounts }) => Kept.parse({ currency, count, amounts }),
    }),
  );
}

/** Totals of lists by their queries. */
const byQuery = z.registry<Totaled>();

/** Registers the totals of a list for its query, whose response has them. Returns the query. */
export function withTotals<Q extends z.ZodType>(query: Q, totals: Totaled | undefined): Q {
  if (totals) byQuery.add(query, totals);
  return query;
}

/** Returns the totals of a list by its query; undefined without any. */
export function totalsOfQuery(query: z.ZodType): Totaled | undefined {
  return byQuery.get(query);
}

/** Returns the `totals` parameter of a list; without totals it is unknown: 422 on `totals`. */
export function totalsParameter(totals: Totaled | undefined) {
  if (!totals) return z.never({ error: 'validation.unknown' }).optional();
  return z.boolean().default(false);
}
