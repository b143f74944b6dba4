import { get, TariffIfAny } from '#lib/billing/tariff.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'company.tariff.show',
  response: TariffIfAny,
  uses: ['table:write'],
  note:
    'Applies all charges due first. A branch gets the tariff of its main company; without a tariff the ' +
    'response is `{}`. `due_now` is the amount owed, and paying it unblocks a blocked company; ' +
    '`amount_to_pay` also covers the next period. `breakdown` adds up to `period_total`.',
  run: ({ actor, at }) => get(actor, at),
});
