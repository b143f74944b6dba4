import { endpoint } from '#lib/http/endpoint.ts';
import { previewSale, SalePreview, SalePreviewInput } from '#lib/trade/checkout/preview.ts';

export const POST = endpoint({
  right: 'company.trade.sale.store',
  mayNeed: {
    'company.client.client.exceed-limit': 'exceed_limit',
    'company.trade.sale.price-type': 'price_type_id',
  },
  strict: true,
  body: SalePreviewInput,
  response: SalePreview,
  note:
    'Nothing is written, and no id is drawn: `Idempotency-Key` has no effect. Payments may be left out or fall ' +
    'short: `due.left` is still to be paid. The desk needs no open shift. With `due.left` paid, an open shift and ' +
    'nothing changed, the call itself succeeds.',
  run: ({ actor, body, at }) => previewSale(actor, body, at),
});
