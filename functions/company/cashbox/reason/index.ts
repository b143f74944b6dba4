import * as reasons from '#lib/cash/reason.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'company.cashbox.reason.index',
  query: reasons.List,
  rows: reasons.Reason,
  run: ({ actor, query }) => reasons.list(actor, query),
});

export const POST = endpoint({
  right: 'company.cashbox.reason.store',
  body: reasons.ReasonInput,
  response: reasons.Reason,
  run: ({ actor, body, at }) => reasons.create(actor, body, at),
});
