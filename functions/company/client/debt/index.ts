import { Debt, DebtList, list } from '#lib/clients/debt/record.ts';
import { debtSheet } from '#lib/clients/debt/sheet.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'company.client.debt.index',
  query: DebtList,
  rows: Debt,
  sheet: debtSheet,
  run: ({ actor, query, at }) => list(actor, query, at),
});
