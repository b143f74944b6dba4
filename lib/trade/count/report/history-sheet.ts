import { companyEmbed } from '#lib/people/company/company.ts';
import { creatorEmbed, nameOfUserItem, personEmbed } from '#lib/people/user/user.ts';
import { documentSheet } from '#lib/records/sheet.ts';
import { warehouseEmbed } from '#lib/stock/warehouse.ts';
import { counts, StoredCount } from '#lib/trade/count/record.ts';
import { sumsOf } from '#lib/trade/count/totals.ts';
import { Currency } from '#lib/values/money.ts';
import { ONE } from '#lib/values/quantity.ts';

/** What the workbook looks at. */
const Row = StoredCount.omit({
  category_ids: true,
  brand_ids: true,
  amounts_diff_above: true,
  amounts_diff_below: true,
});

const QUANTITIES = [
  'stock_quantity',
  'actual_quantity',
  'quantity_diff_above',
  'quantity_diff_below',
] as const;

/** The history as a workbook. Part 2, "Inventories". */
export const historySheet = documentSheet(counts, Row, 'sheet.inventories', ({ column, words, linked }) => [
  column('column.number', 'number', ({ id }) => id),
  column('column.created_at', 'moment', ({ created_at }) => created_at),
  words('inventory.column.type', ({ type }) => `inventory.type.${type}`),
  words('column.status', ({ status }) => `inventory.status.${status}`),
  column('column.completed_at', 'moment', ({ completed_at }) => completed_at),
  linked('column.company', companyEmbed),
  linked('column.stock', warehouseEmbed),
  linked('inventory.column.responsible', personEmbed('responsible'), nameOfUserItem),
  linked('column.creator', creatorEmbed, nameOfUserItem),
  column('column.products_count', 'number', (row) => row.products_count),
  column('inventory.column.checked', 'number', (row) => row.checked_products_count),
  column('inventory.column.matched', 'number', (row) => row.matched_products_count),
  ...QUANTITIES.map((name) => column(`inventory.column.${name}`, 'number', (row) => row[name] / ONE)),
  ...(['above', 'below'] as const).flatMap((side) =>
    Currency.options.map((currency) =>
      column(amountOfSide(side, currency), 'money', (row) => sumsOf(row, side)[currency]),
    ),
  ),
  column('column.comment', 'text', ({ comment }) => comment),
]);

/** Gives the heading of a surplus or a shortage in a currency. */
export function amountOfSide(side: 'above' | 'below', currency: Currency) {
  return { key: `inventory.column.amount_${side}`, with: { currency: currency.toUpperCase() } } as const;
}
