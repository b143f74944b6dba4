import { DepositEmbeds, DepositEntry, get } from '#lib/clients/deposit/record.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'company.client.deposit.show',
  query: DepositEmbeds,
  response: DepositEntry,
  run: ({ actor, id, query }) => get(actor, id, query),
});
