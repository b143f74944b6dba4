import { get, TariffIfAny } from '#lib/billing/tariff.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'company.tariff.show',
  response: TariffIfAny,
  uses: ['table:write'],
  note:
    'Charges what is due by now. A branch gets the tariff of its main company; without a tariff the answer ' +
    'is `{}`. `due_now` is what is owed, and what frees a blocked company; `amount_to_pay` also covers the ' +
    'next period. `breakdown` adds up to `period_total`.',
  run: ({ actor, at }) => get(actor, at),
});
