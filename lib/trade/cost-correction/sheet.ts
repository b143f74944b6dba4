import { companyColumn, creatorColumn } from '#lib/people/family-record.ts';
import { inCapitals, linkColumn } from '#lib/records/sheet/column.ts';
import { documentSheet } from '#lib/records/sheet/sheet.ts';
import { supplierEmbed } from '#lib/stock/supplier/supplier.ts';
import { warehouseEmbed } from '#lib/stock/warehouse.ts';
import { CostCorrection, costCorrections } from '#lib/trade/goods-receipt/cost-correction.ts';

/** Workbook of corrections of costs. */
export const costCorrectionSheet = documentSheet(
  costCorrections,
  CostCorrection,
  'sheet.cost_corrections',
  ({ column, columnUnder }) => [
    column('id', 'number'),
    column('created_at', 'moment'),
    columnUnder('column.purchase', 'purchase_id', 'number'),
    companyColumn,
    linkColumn('column.stock', warehouseEmbed),
    linkColumn('column.supplier', supplierEmbed),
    creatorColumn,
    column('products_count', 'number'),
    column('currency', 'text', inCapitals),
    column('amount', 'money'),
    column('gone_amount', 'money'),
    column('report_currency', 'text', inCapitals),
    column('report_amount', 'money'),
    column('comment', 'text'),
  ],
);
