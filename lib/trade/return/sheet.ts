import { deskEmbed } from '#lib/cash/desk/desk.ts';
import { clientEmbed } from '#lib/clients/client.ts';
import { companyColumn, creatorColumn } from '#lib/people/family-record.ts';
import { reference } from '#lib/records/query/embeds.ts';
import { type Column, inCapitals, linkColumn } from '#lib/records/sheet/column.ts';
import { documentSheet } from '#lib/records/sheet/sheet.ts';
import { parseStored } from '#lib/records/stored.ts';
import { warehouseEmbed } from '#lib/stock/warehouse.ts';
import type { Item } from '#lib/table/client.ts';
import { returnPackKey, SaleReturn } from '#lib/trade/sale/returns-of.ts';
import { ReceivedPayment } from '#lib/values/money.ts';
import { ReturnHeader, saleReturns } from './record.ts';

const Commented = ReturnHeader.pick({ id: true, sale_id: true, has_one_comment: true });
const Noted = SaleReturn.pick({ products: true });

/** Comment common to all lines, stored with them. */
const commentColumn = {
  heading: { key: 'column.comment' },
  kind: 'text',
  fields: Object.keys(Commented.shape),
  of: () => null,
  link: {
    embed: reference('comment', (row) => {
      const { has_one_comment: isOne, ...place } = parseStored(Commented, row);
      return isOne ? returnPackKey(String(row['pk']), place, 0) : undefined;
    }),
    nameOf: (pack: Item) => parseStored(Noted, pack).products[0]?.comment,
  },
} as const satisfies Column;

/** Workbook of returns. */
export const returnSheet = documentSheet(
  saleReturns,
  ReturnHeader,
  'sheet.returns',
  ({ column, columnUnder }) => [
    column('id', 'number'),
    column('created_at', 'moment'),
    columnUnder('column.sale', 'sale_id', 'text', (id) => `#${id}`),
    companyColumn,
    linkColumn('column.stock', warehouseEmbed),
    linkColumn('column.cashbox', deskEmbed),
    linkColumn('column.client', clientEmbed, 'full_name'),
    creatorColumn,
    column('products_count', 'number'),
    column('currency', 'text', inCapitals),
    column('amount', 'money'),
    columnUnder('column.purchased_amount', 'cost', 'money'),
    ...ReceivedPayment.options.map((type) =>
      columnUnder(`column.${type}`, 'paid_out', 'money', (paid) => paid[type]),
    ),
    columnUnder('column.reason', 'reason', 'text', (reason) => reason && { key: `return.reason.${reason}` }),
    commentColumn,
  ],
);
