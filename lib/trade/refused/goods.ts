import * as z from 'zod';
import { Id } from '#lib/values/fields.ts';
import { fromJson } from '#lib/values/from-json.ts';
import { quantity } from '#lib/values/quantity.ts';

const Line = z.object({ product_id: Id, sold_quantity: quantity(8) });
const BundleLine = z.object({ bundle_id: Id, quantity: z.int().min(1).default(1) });

/** Readable goods of a body. */
const Goods = z.object({ products: readable(Line), bundles: readable(BundleLine) });

/** Quantity of each product or bundle, by id. */
export type Amounts = ReadonlyMap<number, bigint>;

/**
 * Sums a body's quantities by product and by bundle, over all its lines; unreadable ones are ignored.
 * Contract 9.98.
 */
export function goodsIn(sent: unknown): { readonly products: Amounts; readonly bundles: Amounts } {
  const { products, bundles } = Goods.parse(fromJson(Goods, { parsed: sent, text: '{}' }));
  return {
    products: sumOf(products.map((line) => [line?.product_id, line?.sold_quantity])),
    bundles: sumOf(bundles.map((line) => [line?.bundle_id, line?.quantity])),
  };
}

function readable<S extends z.ZodType>(line: S) {
  return z.array(line.nullable().catch(null)).catch([]);
}

type Part = readonly [id: number | undefined, amount: number | undefined];

function sumOf(parts: readonly Part[]): Amounts {
  const amounts = new Map<number, bigint>();
  for (const [id, amount] of parts) {
    if (id === undefined || amount === undefined) continue;
    amounts.set(id, (amounts.get(id) ?? BigInt(0)) + BigInt(amount));
  }
  return amounts;
}
