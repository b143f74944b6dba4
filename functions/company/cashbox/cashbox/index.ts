import * as desks from '#lib/cash/desk/desk.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'company.cashbox.cashbox.index',
  query: desks.List,
  rows: desks.Desk,
  run: ({ actor, query }) => desks.list(actor, query),
});

export const POST = endpoint({
  right: 'company.cashbox.cashbox.store',
  body: desks.DeskInput,
  response: desks.Desk,
  run: ({ actor, body, at }) => desks.create(actor, body, at),
});
