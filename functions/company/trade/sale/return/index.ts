import { listing } from '#lib/http/listing.ts';
import { ListedReturn, list, ReturnList } from '#lib/trade/return/read.ts';
import { returnSheet } from '#lib/trade/return/sheet.ts';

export const GET = listing({
  right: 'company.trade.sale.return.index',
  query: ReturnList,
  rows: ListedReturn,
  sheet: returnSheet,
  note:
    'Returns of all sales, those of exchanges included, at accessible desks. Amounts are in the currency of ' +
    'the sale and were refunded by `cashbox_id`. `reason` and `comment` are null unless all lines share them. ' +
    'A row whose lines would make the response larger than 4 MB has `products: null` and `lines_left_out: ' +
    'true`: request fewer rows.',
  run: ({ actor, query }) => list(actor, query),
});
