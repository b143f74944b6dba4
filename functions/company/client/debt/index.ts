import { Debt, DebtList, list } from '#lib/clients/debt.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'company.client.debt.index',
  query: DebtList,
  rows: Debt,
  run: ({ actor, query, at }) => list(actor, query, at),
});
