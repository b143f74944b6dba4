import { companySheet, listOfCompany, StatementEntry, StatementList } from '#lib/billing/statement.ts';
import { TariffParams } from '#lib/billing/tariff.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'admin.billing.tariff.statement',
  params: TariffParams,
  query: StatementList,
  rows: StatementEntry,
  sheet: companySheet,
  uses: ['table:write'],
  note:
    'Applies all charges due first. All entries add up to the `balance` of the tariff. 404 for a company ' +
    'without a tariff; a branch uses the tariff of its main company.',
  run: ({ actor, params, query, at }) => listOfCompany(actor, params, query, at),
});
