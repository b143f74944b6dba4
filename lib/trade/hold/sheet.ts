import { companyEmbed } from '#lib/people/company/company.ts';
import { creatorEmbed, nameOfUserItem } from '#lib/people/user/user.ts';
import { documentSheet } from '#lib/records/sheet.ts';
import { warehouseEmbed } from '#lib/stock/warehouse.ts';
import { Hold, holds } from './record.ts';

/** What the workbook looks at. */
const Row = Hold.omit({ creator: true, updater: true, company: true, stock: true });

/** The list of holds as a workbook. */
export const holdSheet = documentSheet(holds, Row, 'sheet.holds', ({ column, words, linked }) => [
  column('column.number', 'number', ({ id }) => id),
  column('column.created_at', 'moment', ({ created_at }) => created_at),
  words('column.status', ({ status }) => `hold.status.${status}`),
  column('column.customer', 'text', ({ full_name }) => full_name),
  column('column.held_until', 'day', ({ date }) => date),
  linked('column.company', companyEmbed),
  linked('column.stock', warehouseEmbed),
  linked('column.creator', creatorEmbed, nameOfUserItem),
  column('column.products_count', 'number', ({ products_count }) => products_count),
  column('column.currency', 'text', ({ currency }) => currency.toUpperCase()),
  column('column.amount', 'money', ({ amount }) => amount),
  column('column.sale', 'number', ({ sale_id }) => sale_id),
  column('column.comment', 'text', ({ comment }) => comment),
]);
