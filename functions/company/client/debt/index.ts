import { addOpeningDebt, OpeningDebtInput } from '#lib/clients/debt/opening.ts';
import { Debt, DebtList, list } from '#lib/clients/debt/record.ts';
import { debtSheet } from '#lib/clients/debt/sheet.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'company.client.debt.index',
  query: DebtList,
  rows: Debt,
  sheet: debtSheet,
  run: ({ actor, query, at }) => list(actor, query, at),
});

export const POST = endpoint({
  right: 'company.client.debt.store',
  idempotent: true,
  body: OpeningDebtInput,
  response: Debt,
  note:
    'A debt from before the first sale here: it has no sale, moves no money, and is paid as any other. It may ' +
    "exceed the client's limit, and counts in it.",
  run: ({ actor, body, at, saveResponse }) => addOpeningDebt(actor, body, at, saveResponse),
});
