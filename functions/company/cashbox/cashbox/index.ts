import * as cashboxes from '#lib/cash/desk/cashbox.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'company.cashbox.cashbox.index',
  query: cashboxes.CashboxList,
  rows: cashboxes.Cashbox,
  run: ({ actor, query }) => cashboxes.list(actor, query),
});

export const POST = endpoint({
  right: 'company.cashbox.cashbox.store',
  body: cashboxes.CashboxInput,
  answers: cashboxes.Cashbox,
  run: ({ actor, body, at }) => cashboxes.create(actor, body, at),
});
