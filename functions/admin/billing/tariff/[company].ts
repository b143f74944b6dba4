import { TariffInput } from '#lib/billing/record.ts';
import { TariffTerms } from '#lib/billing/show.ts';
import { getTerms, setTerms, TariffParams } from '#lib/billing/tariff.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'admin.billing.tariff.show',
  params: TariffParams,
  response: TariffTerms,
  uses: ['table:write'],
  note:
    'Applies all charges due first. 404 for a company without a tariff; a branch uses the tariff of its main ' +
    'company.',
  run: ({ actor, params, at }) => getTerms(actor, params.company, at),
});

export const PUT = endpoint({
  right: 'admin.billing.tariff.update',
  strict: true,
  params: TariffParams,
  body: TariffInput,
  response: TariffTerms,
  note:
    'Prices are monthly; a year costs twelve months. The first charge is on `trial_ends_at`, or today without ' +
    'a trial. New prices apply from the next charge; a new `billing_period` takes effect on ' +
    '`next_payment_at`.',
  run: ({ actor, params, body, at }) => setTerms(actor, params.company, body, at),
});
