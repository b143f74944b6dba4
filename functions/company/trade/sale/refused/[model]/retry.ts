import { endpoint } from '#lib/http/endpoint.ts';
import { RetryInput, retryRefusedSale } from '#lib/trade/offline/retry.ts';
import { RefusedSale } from '#lib/trade/refused/record.ts';
import { get } from '#lib/trade/refused/refused.ts';

export const PATCH = endpoint({
  right: 'company.trade.sale.refused.retry',
  idempotent: true,
  evenInactive: true,
  body: RetryInput,
  response: RefusedSale,
  note:
    'Without a body the newest kept one is tried. A changed body is a whole sale, but for `key`, `cashbox_id` and ' +
    '`sold_at`, which stay; it needs the right `company.trade.sale.store`. The seller stays, too, unless it names ' +
    'another. The rights are those of who retries. Refused again, it is answered as the sale is, and one more ' +
    'attempt is kept. A blocked company retries what it sold before the blocking and first sent within 72 hours ' +
    'of it, by a body that came by then. ' +
    '`as_of_now` makes it as of now, judged by when it was sold; `accept_prices` takes prices, discounts and ' +
    'change as they were sent.',
  run: ({ actor, id, sent, at, locale, saveResponse }) =>
    retryRefusedSale(actor, { id, sent }, { at, locale, saveResponse }),
  reread: ({ actor, locale }, [id = 0]) => get(actor, id, locale),
});
