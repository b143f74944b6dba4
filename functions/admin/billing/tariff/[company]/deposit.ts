import { TariffTerms } from '#lib/billing/show.ts';
import { DepositInput, deposit, TariffParams } from '#lib/billing/tariff.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const POST = endpoint({
  right: 'admin.billing.tariff.deposit',
  idempotent: true,
  params: TariffParams,
  body: DepositInput,
  response: TariffTerms,
  note: 'A negative amount corrects an earlier deposit.',
  run: ({ actor, params, body, at, saveResponse }) =>
    deposit(actor, { ...params, ...body }, at, saveResponse),
});
