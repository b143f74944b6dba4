import { companyEmbed } from '#lib/people/company/company.ts';
import { creatorEmbed, nameOfUserItem } from '#lib/people/user/user.ts';
import { amountIn, documentSheet } from '#lib/records/sheet.ts';
import { warehouseEmbed } from '#lib/stock/warehouse.ts';
import { Currency } from '#lib/values/money.ts';
import { WriteOff, writeOffs } from './record.ts';

/** The fields for the workbook. */
const Row = WriteOff.pick({
  id: true,
  created_at: true,
  status: true,
  completed_at: true,
  name: true,
  source_type: true,
  source_id: true,
  company_id: true,
  stock_id: true,
  creator_id: true,
  products_count: true,
  amounts: true,
});

/** The list of write-offs as a workbook. */
export const writeOffSheet = documentSheet(writeOffs, Row, 'sheet.writeoffs', ({ column, words, linked }) => [
  column('column.number', 'number', ({ id }) => id),
  column('column.created_at', 'moment', ({ created_at }) => created_at),
  words('column.status', ({ status }) => `writeoff.status.${status}`),
  column('column.completed_at', 'moment', ({ completed_at }) => completed_at),
  column('column.name', 'text', ({ name }) => name),
  words('column.source_type', ({ source_type }) => `writeoff.source_type.${source_type}`),
  column('column.source_id', 'number', ({ source_id }) => source_id),
  linked('column.company', companyEmbed),
  linked('column.stock', warehouseEmbed),
  linked('column.creator', creatorEmbed, nameOfUserItem),
  column('column.products_count', 'number', ({ products_count }) => products_count),
  ...Currency.options.map((currency) =>
    column(amountIn(currency), 'money', ({ amounts }) => amounts[currency]),
  ),
]);
