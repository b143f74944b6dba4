import { DepositEntry, DepositList, list } from '#lib/clients/deposit/record.ts';
import { depositSheet } from '#lib/clients/deposit/sheet.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'company.client.deposit.index',
  query: DepositList,
  rows: DepositEntry,
  sheet: depositSheet,
  run: ({ actor, query }) => list(actor, query),
});
