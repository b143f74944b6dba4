import { companyColumn, creatorColumn } from '#lib/people/family-record.ts';
import { nameOfUserItem, personEmbed } from '#lib/people/user/user.ts';
import { linkColumn } from '#lib/records/sheet/column.ts';
import { documentSheet } from '#lib/records/sheet/sheet.ts';
import { warehouseEmbed } from '#lib/stock/warehouse.ts';
import { counts, StoredCount } from '#lib/trade/count/record.ts';
import { Currency } from '#lib/values/money.ts';
import { ONE } from '#lib/values/quantity.ts';

const QUANTITIES = [
  'stock_quantity',
  'actual_quantity',
  'quantity_diff_above',
  'quantity_diff_below',
] as const;

/** The history as a workbook. Part 2, "Inventories". */
export const historySheet = documentSheet(
  counts,
  StoredCount,
  'sheet.inventories',
  ({ column, columnUnder }) => [
    column('id', 'number'),
    column('created_at', 'moment'),
    columnUnder('inventory.column.type', 'type', 'text', (type) => ({ key: `inventory.type.${type}` })),
    column('status', 'text', (status) => ({ key: `inventory.status.${status}` })),
    column('completed_at', 'moment'),
    companyColumn,
    linkColumn('column.stock', warehouseEmbed),
    linkColumn('inventory.column.responsible', personEmbed('responsible'), nameOfUserItem),
    creatorColumn,
    column('products_count', 'number'),
    columnUnder('inventory.column.checked', 'checked_products_count', 'number'),
    columnUnder('inventory.column.matched', 'matched_products_count', 'number'),
    ...QUANTITIES.map((name) =>
      columnUnder(`inventory.column.${name}`, name, 'number', (quantity) => quantity / ONE),
    ),
    ...(['above', 'below'] as const).flatMap((side) =>
      Currency.options.map((currency) =>
        columnUnder(amountOfSide(side, currency), `${side}_${currency}`, 'money', (sum) => sum ?? 0),
      ),
    ),
    column('comment', 'text'),
  ],
);

/** Gives the heading of a surplus or a shortage in a currency. */
export function amountOfSide(side: 'above' | 'below', currency: Currency) {
  return { key: `inventory.column.amount_${side}`, with: { currency: currency.toUpperCase() } } as const;
}
