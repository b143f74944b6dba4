import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { list, SaleList } from '#lib/trade/sale/read.ts';
import { Sale } from '#lib/trade/sale/record.ts';
import { sell } from '#lib/trade/sale/sell.ts';
import { saleSheet } from '#lib/trade/sale/sheet.ts';

export const GET = listing({
  right: 'company.trade.sale.index',
  query: SaleList,
  rows: Sale,
  sheet: saleSheet,
  run: ({ actor, query }) => list(actor, query),
});

export const POST = endpoint({
  right: 'company.trade.sale.store',
  idempotent: true,
  body: SaleInput,
  answers: Sale,
  note:
    "A line's minimum price holds after its discount too. A bundle at another price than its own needs " +
    "the right to discount. The desk must be one for sales, of the warehouse's company. Bonuses are " +
    'spent, and not earned yet.',
  run: ({ actor, body, at, remember }) => sell(actor, body, at, remember),
});
