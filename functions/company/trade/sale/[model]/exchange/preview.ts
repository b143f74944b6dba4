import { endpoint } from '#lib/http/endpoint.ts';
import { ExchangePreview, previewExchange } from '#lib/trade/exchange/preview.ts';
import { ExchangeInput } from '#lib/trade/exchange/sides.ts';

export const POST = endpoint({
  right: 'company.trade.sale.exchange',
  mayNeed: {
    'company.client.client.exceed-limit': 'exceed_limit',
    'company.trade.sale.price-type': 'price_type_id',
  },
  strict: true,
  body: ExchangeInput,
  response: ExchangePreview,
  note:
    'Nothing is written, and no id is drawn: `Idempotency-Key` has no effect. Payments may be left out or fall ' +
    'short: `due.left` is still to be paid or paid out. The desk needs no open shift. With `due.left` paid, an open shift and ' +
    'nothing changed, the call itself succeeds.',
  run: ({ actor, id, body, at }) => previewExchange(actor, { id, ...body }, at),
});
