import { DebtWriteOff, DebtWriteOffEmbeds, get } from '#lib/clients/debt/write-off-record.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'company.client.debt-writeoff.show',
  query: DebtWriteOffEmbeds,
  response: DebtWriteOff,
  run: ({ actor, id, query }) => get(actor, id, query),
});
