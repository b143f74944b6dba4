import { Repricing, repricings } from '#lib/catalog/product/repricing/record.ts';
import { companyEmbed } from '#lib/people/company/company.ts';
import { creatorEmbed, nameOfUserItem } from '#lib/people/user/user.ts';
import { documentSheet } from '#lib/records/sheet.ts';

/** What the workbook looks at. */
const Row = Repricing.pick({
  id: true,
  created_at: true,
  type: true,
  company_id: true,
  creator_id: true,
  currency_rate: true,
  products_count: true,
  skipped_count: true,
  markup_summary: true,
});

/** The history of prices as a workbook. */
export const repricingSheet = documentSheet(
  repricings,
  Row,
  'sheet.repricings',
  ({ column, words, linked }) => [
    column('column.number', 'number', ({ id }) => id),
    column('column.created_at', 'moment', ({ created_at }) => created_at),
    words('column.type', ({ type }) => `repricing.type.${type}`),
    linked('column.company', companyEmbed),
    linked('column.creator', creatorEmbed, nameOfUserItem),
    column('column.products_count', 'number', ({ products_count }) => products_count),
    column('column.skipped_count', 'number', ({ skipped_count }) => skipped_count),
    column('column.currency_rate', 'money', ({ currency_rate }) => currency_rate),
    column('column.average_markup', 'money', ({ markup_summary }) => markup_summary?.average),
  ],
);
