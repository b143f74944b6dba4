import { cashboxEmbed } from '#lib/cash/desk/cashbox.ts';
import { companyEmbed } from '#lib/people/company/company.ts';
import { creatorEmbed, nameOfUserItem } from '#lib/people/user/user.ts';
import { amountIn, documentSheet } from '#lib/records/sheet.ts';
import { Currency } from '#lib/values/money.ts';
import { collections } from './record.ts';

/** The fields for the workbook. */
const Row = collections.schema.pick({
  id: true,
  created_at: true,
  status: true,
  company_id: true,
  cashbox_id: true,
  creator_id: true,
  items: true,
  comment: true,
  cancel_comment: true,
});

/** The list of collections as a workbook. */
export const collectionSheet = documentSheet(
  collections,
  Row,
  'sheet.collections',
  ({ column, words, linked }) => [
    column('column.number', 'number', ({ id }) => id),
    column('column.created_at', 'moment', ({ created_at }) => created_at),
    words('column.status', ({ status }) => `operation.status.${status}`),
    linked('column.company', companyEmbed),
    linked('column.cashbox', cashboxEmbed),
    linked('column.creator', creatorEmbed, nameOfUserItem),
    ...Currency.options.map((currency) =>
      column(amountIn(currency), 'money', ({ items }) => sumIn(currency, items)),
    ),
    column('column.comment', 'text', ({ cancel_comment, comment }) => cancel_comment ?? comment),
  ],
);

/** Sums what was collected in a currency; nothing if none was. */
function sumIn(
  wanted: Currency,
  items: readonly { readonly currency: Currency; readonly amount: number }[],
): number | undefined {
  const amounts = items.flatMap(({ currency, amount }) => (currency === wanted ? [amount] : []));
  return amounts.length > 0 ? amounts.reduce((sum, amount) => sum + amount, 0) : undefined;
}
