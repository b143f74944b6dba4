import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import { list, SaleList } from '#lib/trade/sale.ts';
import { SaleInput } from '#lib/trade/sale-input.ts';
import { Sale } from '#lib/trade/sale-record.ts';
import { sell } from '#lib/trade/sell.ts';

export const GET = listing({
  right: 'company.trade.sale.index',
  query: SaleList,
  rows: Sale,
  run: ({ actor, query }) => list(actor, query),
});

export const POST = endpoint({
  right: 'company.trade.sale.store',
  idempotent: true,
  body: SaleInput,
  answers: Sale,
  run: ({ actor, body, at, remember }) => sell(actor, body, at, remember),
});
