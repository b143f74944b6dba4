import { TariffTerms } from '#lib/billing/show.ts';
import { DepositInput, deposit, TariffPlace } from '#lib/billing/tariff.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const POST = endpoint({
  right: 'admin.billing.tariff.deposit',
  idempotent: true,
  params: TariffPlace,
  body: DepositInput,
  answers: TariffTerms,
  note: 'Below zero to correct.',
  run: ({ actor, params, body, at, remember }) => deposit(actor, { ...params, ...body }, at, remember),
});
