import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { products } from '#lib/catalog/card.ts';
import { units } from '#lib/catalog/unit/unit.ts';
import { linkColumn, type SheetCall } from '#lib/records/sheet/column.ts';
import { rowSheet } from '#lib/records/sheet/sheet.ts';
import { sourceOf } from '#lib/records/stored.ts';
import { productNames } from '#lib/reports/frame/cards.ts';
import { readNamesIn, recordsAt } from '#lib/reports/frame/names.ts';
import { stockLevelConditions, stockLevelRows } from '#lib/stock/stock-level-row.ts';
import { warehouseEmbed } from '#lib/stock/warehouse.ts';
import type { Item } from '#lib/table/client.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { costField } from '#lib/values/cost.ts';
import { Currency, decimalOf, LargeAmount } from '#lib/values/money.ts';
import { LargeQuantity } from '#lib/values/quantity.ts';
import { stockLevelName } from './committed-stock.ts';
import { readGoodsOfLevels } from './goods.ts';

/** Stock level in the workbook, with the goods in stock and the words of its product. */
const SheetRow = z.object({
  barcode: z.string().nullable(),
  product: z.string().nullable(),
  unit: z.string().nullable(),
  /** Free quantity, as in the list. */
  quantity: LargeQuantity,
  held_quantity: LargeQuantity,
  /** Cost of free and held goods. */
  costs: costField(z.record(Currency, LargeAmount)),
});

type SheetRow = z.input<typeof SheetRow>;

/** Stored fields that a row is completed by. */
const Level = z.object({ stock_id: z.int(), product_id: z.int() });

const Card = z.object({
  name: z.string(),
  parent_id: z.int().nullable(),
  barcode: z.string(),
  unit_id: z.int(),
});

const sheet = rowSheet(SheetRow, 'sheet.stock', ({ columnUnder }) => [
  columnUnder('product.column.barcode', 'barcode', 'text'),
  columnUnder('column.product', 'product', 'text'),
  columnUnder('product.column.unit', 'unit', 'text'),
  linkColumn('column.stock', warehouseEmbed),
  columnUnder('report.column.quantity', 'quantity', 'number', piecesOf),
  columnUnder('report.column.held_quantity', 'held_quantity', 'number', piecesOf),
  ...Currency.options.map((currency) =>
    columnUnder(
      { key: 'report.column.costs', with: { currency: currency.toUpperCase() } },
      'costs',
      'money',
      (costs) => Number(costs[currency]),
    ),
  ),
]);

/**
 * Workbook of stock levels: those of the list, each with the cost of its goods in the currencies in which
 * they were bought. Part 5, 5B.9, 3.
 */
export const stockLevelSheet = {
  async give(call: SheetCall & { readonly actor: Staff }) {
    const { actor, query } = call;
    const where = await stockLevelConditions(actor, query);
    return sheet.give(sourceOf(stockLevelRows, actor.tenant), where, call, {
      fields: Object.keys(Level.shape),
      complete: (rows) => completeRows(actor.tenant, rows, call),
    });
  },
};

/** Adds the goods and the words of their products to rows. */
async function completeRows(
  tenant: Tenant,
  rows: readonly Item[],
  { at, locale }: SheetCall,
): Promise<Item[]> {
  const levels = rows.map((row) => Level.parse(row));
  const [goods, wordsOf] = await Promise.all([
    readGoodsOfLevels(tenant, levels, at),
    readWords(
      tenant,
      levels.map(({ product_id }) => product_id),
      locale,
    ),
  ]);
  const goodsOf = new Map(goods.map((each) => [stockLevelName(each), each]));
  return rows.flatMap((row, index) => {
    const found = levels[index] && goodsOf.get(stockLevelName(levels[index]));
    if (!found) return [];
    const { product_id, quantity, held: held_quantity, costs_in_stock: costs } = found;
    const shown: SheetRow = {
      ...wordsOf(product_id),
      quantity: quantity - held_quantity,
      held_quantity,
      costs,
    };
    return [{ ...row, ...shown }];
  });
}

/** Reads the barcodes, names and units of products, deleted ones too. Three round trips. */
async function readWords(tenant: Tenant, ids: readonly number[], locale: SheetCall['locale']) {
  const items = await recordsAt({ type: products.type, tenant }, ids, Object.keys(Card.shape));
  const cards = new Map([...items].map(([id, item]) => [id, Card.parse(item)]));
  const unitIds = [...cards.values()].map(({ unit_id }) => unit_id);
  const [nameOf, unitOf] = await Promise.all([
    productNames(tenant, cards),
    readNamesIn({ type: units.type, tenant }, unitIds, locale),
  ]);
  return (id: number) => {
    const card = cards.get(id);
    return { barcode: card?.barcode ?? null, product: nameOf(id), unit: unitOf(card?.unit_id ?? null) };
  };
}

function piecesOf(units: bigint): number {
  return decimalOf(units, 8);
}
