import { endpoint } from '#lib/http/endpoint.ts';
import { RetryInput } from '#lib/trade/offline/decide-retry.ts';
import { retryRefusedSale } from '#lib/trade/offline/retry.ts';
import { RefusedSale } from '#lib/trade/refused/record.ts';
import { get } from '#lib/trade/refused/refused.ts';

export const PATCH = endpoint({
  right: 'company.trade.sale.refused.retry',
  mayNeed: {
    'company.client.client.exceed-limit': 'exceed_limit',
    'company.trade.sale.creator': 'creator_id',
    'company.trade.sale.price-type': 'price_type_id',
    'company.trade.sale.refused.accept-prices': 'accept_prices',
    'company.trade.sale.store': null,
  },
  idempotent: true,
  evenInactive: true,
  body: RetryInput,
  response: RefusedSale,
  note:
    'Without a body the latest stored one is retried. A changed body is a complete sale except `key`, ' +
    '`cashbox_id` and `sold_at`, which stay; it requires the right `company.trade.sale.store`. The cashier ' +
    'stays unless the body names another. The rights of the caller apply. If refused again, the response is ' +
    'that of a sale, and the attempt is stored. A blocked company can retry sales made before the blocking ' +
    'and first sent within 72 hours of it, with a body received by then. `as_of_now` dates the sale now, but ' +
    'validates it by its original time; `accept_prices` accepts prices, discounts and change as sent.',
  run: ({ actor, id, sent, at, locale, saveResponse }) =>
    retryRefusedSale(actor, { id, sent }, { at, locale, saveResponse }),
  reread: ({ actor, locale }, [id = 0]) => get(actor, id, locale),
});
