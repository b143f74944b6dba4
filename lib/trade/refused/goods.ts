import * as z from 'zod';
import { Id } from '#lib/values/fields.ts';
import { fromJson } from '#lib/values/from-json.ts';
import { amount, Currency, type MinorUnits, totalAmount } from '#lib/values/money.ts';
import { ONE, quantity } from '#lib/values/quantity.ts';

const Line = z.object({ product_id: Id, sold_quantity: quantity(8) });
const BundleLine = z.object({ bundle_id: Id, quantity: z.int().min(1).default(1) });
const ServiceLine = z.object({ service_id: Id, quantity: quantity(8).default(ONE) });

/** Readable goods of a body. */
const Goods = z.object({
  products: readable(Line),
  bundles: readable(BundleLine),
  services: readable(ServiceLine),
});

/** Quantity of each product, bundle or service, by id. */
export type Amounts = ReadonlyMap<number, bigint>;

/**
 * Sums a body's quantities by product, by bundle and by service, over all its lines; unreadable ones are
 * ignored. Contract 9.98.
 */
export function goodsIn(sent: unknown): Readonly<Record<'products' | 'bundles' | 'services', Amounts>> {
  const { products, bundles, services } = Goods.parse(fromJson(Goods, { parsed: sent, text: '{}' }));
  return {
    products: sumOf(products.map((line) => [line?.product_id, line?.sold_quantity])),
    bundles: sumOf(bundles.map((line) => [line?.bundle_id, line?.quantity])),
    services: sumOf(services.map((line) => [line?.service_id, line?.quantity])),
  };
}

const Payment = z.object({ payment_type: z.literal('deposit'), amount: amount(0) });

/** Readable payments of a body by deposit. */
const Deposited = z.object({ currency: Currency.catch('uzs'), transactions: readable(Payment) });

/** Sums a body's payments by deposit in a currency; unreadable ones are ignored. Part 5, 5.0, 5. */
export function depositTaken(sent: unknown, currency: Currency): MinorUnits {
  const body = Deposited.parse(fromJson(Deposited, { parsed: sent, text: '{}' }));
  return body.currency === currency ? totalAmount(body.transactions.flatMap((paid) => paid ?? [])) : 0;
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
