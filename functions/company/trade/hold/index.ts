import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import { LINES_NOTE } from '#lib/trade/document/response-size.ts';
import { create } from '#lib/trade/hold/hold.ts';
import { HoldInput, HoldList, ListedHold, list, NewHold } from '#lib/trade/hold/record.ts';
import { holdSheet } from '#lib/trade/hold/sheet.ts';

export const GET = listing({
  right: 'company.trade.hold.index',
  query: HoldList,
  rows: ListedHold,
  sheet: holdSheet,
  note: LINES_NOTE,
  run: ({ actor, query }) => list(actor, query),
});

export const POST = endpoint({
  right: 'company.trade.hold.store',
  mayNeed: { 'company.trade.sale.price-type': 'price_type_id' },
  idempotent: true,
  body: HoldInput,
  response: NewHold,
  note:
    'The goods leave the free stock at once and keep their price. `date` is informational: nothing expires ' +
    "automatically; `filter[date]` finds overdue holds. To sell the goods, send the hold's id as `hold_id` of " +
    'a sale. No open shift is required, as no money moves.',
  run: ({ actor, body, at, saveResponse }) => create(actor, body, at, saveResponse),
});
