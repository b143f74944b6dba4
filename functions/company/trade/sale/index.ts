import { ReplayedResponse } from '#lib/http/definition/idempotency.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import { sell } from '#lib/trade/checkout/sell.ts';
import { LINES_NOTE } from '#lib/trade/document/response-size.ts';
import { endUnfitSale } from '#lib/trade/offline/entry.ts';
import { SALE_RIGHTS } from '#lib/trade/sale/field-rights.ts';
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
  mayNeed: SALE_RIGHTS,
  idempotent: true,
  figure: 'sales',
  body: SaleInput,
  response: Sale,
  note:
    'To sell goods on hold, send the id of the hold as `hold_id`. Without goods the sale sells the whole hold ' +
    'at its held prices. With goods, quantities on hold are used first, and the rest of the hold is released ' +
    'to stock. A hold in a currency other than the current sale currency is rejected. The minimum price of a ' +
    'line applies after its discount. A bundle at a price other than its own, or its held price, requires the ' +
    'right to give discounts. The desk must be a sale desk of the company of the warehouse. A client with a ' +
    'bonus tariff earns its percentage of the amount paid by cash, card and bank. Cash may be in another ' +
    '`currency` than the sale: it counts as `counted_amount` at the rates of the sale, and the excess is ' +
    'given back in cash in the currency of the sale, `change_amount`. Change is allowed only if all other ' +
    'payments together are below the total, and not with debt or bonuses. A sale with `sold_at` is an offline ' +
    'sale: its lines must have prices, and it is validated as of some single moment between 24 hours before ' +
    '`known_at` and 5 minutes after `sold_at` at which everything it depends on was valid. More than ten ' +
    'minutes after `sold_at` it requires the right `company.trade.sale.late`.',
  run: async ({ actor, body, at, saveResponse, sent }) => {
    const { sale, isReplayed } = await sell(actor, body, at, { saveResponse, sent });
    return isReplayed ? new ReplayedResponse(sale) : sale;
  },
  endUnfit: async ({ actor, sent, at }, refusal) => {
    const { sale } = await endUnfitSale(actor, sent, refusal, at);
    return new ReplayedResponse(sale);
  },
});
