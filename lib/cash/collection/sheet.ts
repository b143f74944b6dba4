import { deskEmbed } from '#lib/cash/desk/desk.ts';
import { companyColumn, creatorColumn } from '#lib/people/family-record.ts';
import { amountIn, linkColumn, rowColumn } from '#lib/records/sheet/column.ts';
import { documentSheet } from '#lib/records/sheet/sheet.ts';
import { Currency } from '#lib/values/money.ts';
import { collections } from './record.ts';

const Comments = collections.schema.pick({ comment: true, cancel_comment: true });

/** Workbook of collections. */
export const collectionSheet = documentSheet(
  collections,
  collections.schema,
  'sheet.collections',
  ({ column, columnUnder }) => [
    column('id', 'number'),
    column('created_at', 'moment'),
    column('status', 'text', (status) => ({ key: `operation.status.${status}` })),
    companyColumn,
    linkColumn('column.cashbox', deskEmbed),
    creatorColumn,
    ...Currency.options.map((currency) =>
      columnUnder(amountIn(currency), 'items', 'money', (items) => sumIn(currency, items)),
    ),
    rowColumn('column.comment', 'text', Comments, ({ cancel_comment, comment }) => cancel_comment ?? comment),
  ],
);

/** Sums the collected amounts in a currency; undefined if none. */
function sumIn(
  requested: Currency,
  items: readonly { readonly currency: Currency; readonly amount: number }[],
): number | undefined {
  const amounts = items.flatMap(({ currency, amount }) => (currency === requested ? [amount] : []));
  return amounts.length > 0 ? amounts.reduce((sum, amount) => sum + amount, 0) : undefined;
}
