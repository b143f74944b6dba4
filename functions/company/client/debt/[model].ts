import { get } from '#lib/clients/debt/due-date.ts';
import { Debt, DebtEmbeds } from '#lib/clients/debt/record.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'company.client.debt.show',
  query: DebtEmbeds,
  response: Debt,
  run: ({ actor, id, query, at }) => get(actor, id, query, at),
});
