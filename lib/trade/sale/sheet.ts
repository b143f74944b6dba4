import { deskEmbed } from '#lib/cash/desk/desk.ts';
import { clientEmbed } from '#lib/clients/client.ts';
import { companyColumn } from '#lib/people/family-record.ts';
import { creatorEmbed, nameOfUserItem } from '#lib/people/user/colleague.ts';
import type { Embed } from '#lib/records/query/embeds.ts';
import { inCapitals, linkColumn, rowColumn } from '#lib/records/sheet/column.ts';
import { documentSheet } from '#lib/records/sheet/sheet.ts';
import { warehouseEmbed } from '#lib/stock/warehouse.ts';
import { SalePayment } from './input.ts';
import { amountPaidBy } from './payments.ts';
import { Sale, sales, systemOf } from './record.ts';

const Seller = Sale.pick({ creator_id: true, source_type: true, source_data: true });

/** Seller; the system for a sale on credit. */
const sellerEmbed: Embed = {
  ...creatorEmbed,
  keysOf: (row) => (row['source_type'] === 'credit' ? [] : creatorEmbed.keysOf(row)),
};

const Settled = Sale.pick({ transactions: true, change_amount: true });

/** List of sales as a workbook. */
export const saleSheet = documentSheet(sales, Sale, 'sheet.sales', ({ column, columnUnder }) => [
  columnUnder('column.id', 'code', 'text'),
  column('created_at', 'moment'),
  column('status', 'text', (status) => ({ key: `sale.status.${status}` })),
  companyColumn,
  linkColumn('column.stock', warehouseEmbed),
  linkColumn('column.cashbox', deskEmbed),
  linkColumn('column.client', clientEmbed, 'full_name'),
  {
    ...linkColumn('column.seller', sellerEmbed, nameOfUserItem),
    ...rowColumn('column.seller', 'text', Seller, (sale) =>
      sale.source_type === 'credit' ? systemOf(sale) : null,
    ),
  },
  column('products_count', 'number'),
  column('currency', 'text', inCapitals),
  column('sold_amount', 'money'),
  column('returned_amount', 'money'),
  column('purchased_amount', 'money'),
  ...SalePayment.options.map((type) =>
    // Empty, not zero, without such a payment.
    rowColumn(`column.${type}`, 'money', Settled, (paid) => amountPaidBy([type], paid) || undefined),
  ),
  column('comment', 'text'),
]);
