import { listing } from '#lib/http/listing.ts';
import { ListedReturn, list, ReturnList } from '#lib/trade/return/read.ts';
import { returnSheet } from '#lib/trade/return/sheet.ts';

export const GET = listing({
  right: 'company.trade.sale.return.index',
  query: ReturnList,
  rows: ListedReturn,
  sheet: returnSheet,
  note:
    'Returns of all cheques, exchanges among them, of the desks open to the caller. Money is in the cheque’s ' +
    'currency and was paid out of `cashbox_id`. `reason` and `comment` are null unless all lines have the same. ' +
    'A row whose lines would make the answer larger than 4 MB has `products: null` and `lines_left_out: true`: ' +
    'ask for fewer rows.',
  run: ({ actor, query }) => list(actor, query),
});
