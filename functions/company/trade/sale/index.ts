import { ReplayedResponse } from '#lib/http/definition/idempotency.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import { sell } from '#lib/trade/checkout/sell.ts';
import { LINES_NOTE } from '#lib/trade/document/response-size.ts';
import { endUnfitSale } from '#lib/trade/offline/entry.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { list, SaleList } from '#lib/trade/sale/read.ts';
import { ListedSale, Sale } from '#lib/trade/sale/record.ts';
import { saleSheet } from '#lib/trade/sale/sheet.ts';

export const GET = listing({
  right: 'company.trade.sale.index',
  query: SaleList,
  rows: ListedSale,
  sheet: saleSheet,
  note: LINES_NOTE,
  run: ({ actor, query }) => list(actor, query),
});

export const POST = endpoint({
  right: 'company.trade.sale.store',
  idempotent: true,
  figure: 'sales',
  body: SaleInput,
  response: Sale,
  note:
    'To sell against a hold, send its id as `hold_id`. Without goods of its own the sale sells the whole hold, ' +
    'at the prices it was held at. With goods, what the hold has of them comes out of it first, and what is ' +
    'left of the hold goes back to the shelf. A hold in another currency than sales are in by now is ' +
    "refused. A line's minimum price holds after its discount too. A bundle at another price than its own, or " +
    "the one it is held at, needs the right to discount. The desk must be one for sales, of the warehouse's " +
    'company. A client with a bonus tariff earns its percent of what is paid by cash, card and bank. Cash may be ' +
    "in another `currency` than the sale's. It counts for `counted_amount`, by the rates that the sale keeps, and " +
    "what it makes too much is given back in cash in the sale's currency: `change_amount`. There is change only if " +
    'all other payments together are less than the total, and none beside a debt or bonuses. A sale that names ' +
    '`sold_at` is late: its lines name their prices, and it is judged as of one moment, from a day before ' +
    '`known_at` to five minutes after `sold_at`, at which all that it rests on was so together. More than ten ' +
    'minutes late it needs the right `company.trade.sale.late`.',
  run: async ({ actor, body, at, saveResponse, sent }) => {
    const { sale, isReplayed } = await sell(actor, body, at, { saveResponse, sent });
    return isReplayed ? new ReplayedResponse(sale) : sale;
  },
  endUnfit: async ({ actor, sent, at }, refusal) => {
    const { sale } = await endUnfitSale(actor, sent, refusal, at);
    return new ReplayedResponse(sale);
  },
});
