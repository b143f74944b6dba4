import * as z from 'zod';
import { readLines } from '#lib/records/lines.ts';
import { BatchPart } from '#lib/stock/batch-part.ts';
import { STOCK_LEVEL_ROW } from '#lib/stock/stock-level.ts';
import { readStockLevels } from '#lib/stock/stock-levels.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { CostCorrectionLine, costCorrections } from '#lib/trade/goods-receipt/cost-correction.ts';
import { GoodsReceiptLine, goodsReceipts } from '#lib/trade/goods-receipt/record.ts';
import { holds } from '#lib/trade/hold/record.ts';
import { sales } from '#lib/trade/sale/record.ts';
import { readReturns } from '#lib/trade/sale/returns-of.ts';
import { stockTransfers } from '#lib/trade/transfer/record.ts';
import { writeOffs } from '#lib/trade/write-off/record.ts';
import { Currency } from '#lib/values/money.ts';
import { type Day, documentsOf } from './day.ts';

/** Goods of one cost. */
type Goods = Pick<z.input<typeof BatchPart>, 'cost' | 'currency' | 'quantity'>;

const Head = z.object({ id: z.int(), products_count: z.int(), status: z.string() });
const Line = z.object({ batches: z.array(BatchPart) });
const Row = z.object({ stock_id: z.int(), product_id: z.int() });

/**
 * Sums up what goods have cost, by currency: all that came in, and all that is on shelves, on its way, held,
 * sold or written off, less the returned goods, and more by the goods that corrections found gone. It is
 * cost × quantity of every part, and nothing is rounded.
 */
export async function readCosts({ tenant }: Day) {
  const of = (type: string, ...statuses: string[]) => partsOf(tenant, type, new Set(statuses));
  const [bought, returned, gone, ...places] = await Promise.all([
    boughtIn(tenant),
    returnedIn(tenant),
    goneIn(tenant),
    stockLevelsIn(tenant),
    of(stockTransfers.type, 'in_transit'),
    of(holds.type, 'in_progress'),
    of(sales.type, 'completed', 'partial_returned', 'full_returned'),
    of(writeOffs.type, 'completed'),
  ]);
  return Currency.options.map((currency) => ({
    currency,
    cameIn: worthIn(currency, bought),
    isNow: worthIn(currency, [...places.flat(), ...gone]) - worthIn(currency, returned),
    returned: worthIn(currency, returned),
    bySide: places.map((goods) => worthIn(currency, goods)),
  }));
}

function worthIn(currency: Currency, goods: readonly Goods[]): bigint {
  return goods
    .filter((each) => each.currency === currency)
    .reduce((sum, { cost, quantity }) => sum + BigInt(cost) * BigInt(quantity), 0n);
}

async function boughtIn(tenant: Tenant): Promise<Goods[]> {
  const all = await documentsOf(tenant, goodsReceipts);
  const lines = all
    .filter(({ status }) => status === 'completed')
    .map(async ({ id, currency, products_count }) => {
      const place = { type: goodsReceipts.type, tenant, id };
      const bought = await readLines(GoodsReceiptLine, place, products_count);
      return bought.map(({ cost, quantity }) => ({ cost, quantity, currency }));
    });
  return (await Promise.all(lines)).flat();
}

async function returnedIn(tenant: Tenant): Promise<Goods[]> {
  const all = await documentsOf(tenant, sales);
  const returns = all.map(({ id }) => readReturns({ type: sales.type, tenant, id }));
  const made = (await Promise.all(returns)).flat();
  return made.flatMap(({ products }) => products.flatMap(({ batches }) => batches));
}

/** Reads the changes of cost, of goods that were gone by then: they kept the former one. */
async function goneIn(tenant: Tenant): Promise<Goods[]> {
  const all = await documentsOf(tenant, costCorrections);
  const lines = all.map(async ({ id, currency, products_count }) => {
    const place = { type: costCorrections.type, tenant, id };
    const corrected = await readLines(CostCorrectionLine, place, products_count);
    return corrected.map((line) => ({
      currency,
      cost: Number(line.cost) - Number(line.previous_cost),
      quantity: line.quantity - line.remaining_quantity,
    }));
  });
  return (await Promise.all(lines)).flat();
}

async function stockLevelsIn(tenant: Tenant): Promise<Goods[]> {
  const rows = await documentsOf(tenant, { type: STOCK_LEVEL_ROW, schema: Row });
  const stockLevels = rows.map(async ({ stock_id, product_id }) => {
    const { before } = await readStockLevels(tenant, stock_id, [product_id]);
    const batches = before.get(product_id)?.batches ?? [];
    return batches.map(({ left: quantity, ...origin }) => ({ ...origin, quantity }));
  });
  return (await Promise.all(stockLevels)).flat();
}

/** Reads the goods which documents of these statuses have taken. */
async function partsOf(tenant: Tenant, type: string, statuses: ReadonlySet<string>): Promise<Goods[]> {
  const all = await documentsOf(tenant, { type, schema: Head });
  const lines = all
    .filter(({ status }) => statuses.has(status))
    .map(({ id, products_count }) => readLines(Line, { type, tenant, id }, products_count));
  return (await Promise.all(lines)).flat().flatMap(({ batches }) => batches);
}
