import { DebtWriteOff, DebtWriteOffList, list } from '#lib/clients/debt/write-off-record.ts';
import { debtWriteOffSheet } from '#lib/clients/debt/write-off-sheet.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'company.client.debt-writeoff.index',
  query: DebtWriteOffList,
  rows: DebtWriteOff,
  sheet: debtWriteOffSheet,
  run: ({ actor, query }) => list(actor, query),
});
