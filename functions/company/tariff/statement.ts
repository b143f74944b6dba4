import { listOwn, ownSheet, StatementEntry, StatementList } from '#lib/billing/statement.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'company.tariff.statement',
  query: StatementList,
  rows: StatementEntry,
  sheet: ownSheet,
  uses: ['table:write'],
  note:
    'Applies all charges due first. All entries add up to the `balance` of the tariff. A branch gets the ' +
    'statement of its main company; without a tariff it is empty. `creator_id` is null.',
  run: ({ actor, query, at }) => listOwn(actor, query, at),
});
