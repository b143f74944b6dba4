import { TariffInput } from '#lib/billing/record.ts';
import { TariffTerms } from '#lib/billing/show.ts';
import { getTerms, setTerms, TariffParams } from '#lib/billing/tariff.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'admin.billing.tariff.show',
  params: TariffParams,
  response: TariffTerms,
  uses: ['table:write'],
  note: "Charges what is due by now. 404 for a company without a tariff; a branch has its main company's.",
  run: ({ actor, params, at }) => getTerms(actor, params.company, at),
});

export const PUT = endpoint({
  right: 'admin.billing.tariff.update',
  strict: true,
  params: TariffParams,
  body: TariffInput,
  response: TariffTerms,
  note:
    'Prices are of a month; a year costs twelve. The first charge is on `trial_ends_at`, without one today. ' +
    'New prices are those of the charges to come; a changed `billing_period` waits for `next_payment_at`.',
  run: ({ actor, params, body, at }) => setTerms(actor, params.company, body, at),
});
