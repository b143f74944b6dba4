import * as z from 'zod';
import { readLinesOfAll } from '#lib/records/lines.ts';
import type { Filter } from '#lib/records/query/filters.ts';
import { anyElement, anyLine } from '#lib/records/query/looking-filters.ts';
import type { Item } from '#lib/table/client.ts';
import { oneOf } from '#lib/table/expression.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { idOf } from '#lib/table/read/ranges.ts';
import { Contention, retryOnContention } from '#lib/table/transaction/transact.ts';
import { mapConcurrent, splitEvery } from '#lib/values/concurrency.ts';
import { Id } from '#lib/values/fields.ts';
import { SalePayment } from './input.ts';

/** Filters sales by their code, which is their id with or without `#`. */
export const byCode: Filter = z.string().transform((code) => {
  const id = /^#?([1-9]\d{0,11})$/.exec(code)?.[1];
  return oneOf('id', id === undefined ? [] : [Number(id)]);
});

/** Filters sales by any of their payments. */
export const byPayment = anyElement('transactions', 'payment_type', SalePayment);

/** Filters sales by a product of their lines, those of bundles included. */
export const byProduct = anyLine(Id, salesWith);

const Counted = z.object({ products_count: z.int() });
const Line = z.object({ product_id: z.int() });

/** Sales whose lines are in memory at once. */
const STEP = 100;
const AHEAD = 4;

/** Returns the sales with a line of a product. A read unit or two for each hundred lines of each sale. */
async function salesWith(productId: number, tenant: Tenant, rows: readonly Item[]): Promise<Item[]> {
  const steps = splitEvery(rows, STEP);
  return (await mapConcurrent(steps, AHEAD, (step) => fewSalesWith(productId, tenant, step))).flat();
}

function fewSalesWith(productId: number, tenant: Tenant, rows: readonly Item[]): Promise<Item[]> {
  return retryOnContention(async () => {
    const linesOf = await readLinesOfAll(
      rows.map((row) => ({
        place: { type: 'sale', tenant, id: idOf(row) },
        count: Counted.parse(row).products_count,
      })),
    );
    if (linesOf.includes(undefined)) throw new Contention();
    return rows.filter((_, index) =>
      linesOf[index]?.some((line) => Line.parse(line).product_id === productId),
    );
  });
}
