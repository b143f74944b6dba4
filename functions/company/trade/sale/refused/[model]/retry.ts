import { endpoint } from '#lib/http/endpoint.ts';
import { RetryInput, retry } from '#lib/trade/late/retry.ts';
import { RefusedSale } from '#lib/trade/refused/record.ts';
import { get } from '#lib/trade/refused/refused.ts';

export const PATCH = endpoint({
  right: 'company.trade.sale.refused.retry',
  idempotent: true,
  evenInactive: true,
  body: RetryInput,
  answers: RefusedSale,
  note:
    'Without a body the newest kept one is tried. A changed body keeps `key`, `cashbox_id` and `sold_at`. ' +
    'Refused again, it is answered as the sale is, and one more attempt is kept.',
  run: ({ actor, id, sent, at, locale, remember }) => retry(actor, { id, sent }, { at, locale, remember }),
  reread: ({ actor, locale }, [id = 0]) => get(actor, id, locale),
});
