import { LeafReasonQuery, LeafReasons, leavesOf } from '#lib/cash/reason.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'company.cashbox.operation.reasons',
  query: LeafReasonQuery,
  response: LeafReasons,
  run: ({ actor, query, locale }) => leavesOf(actor, query.type, locale),
});
