import { endpoint } from '#lib/http/endpoint.ts';
import { ReturnInput } from '#lib/trade/return/decide-return.ts';
import { previewReturn, ReturnPreview } from '#lib/trade/return/preview.ts';

export const POST = endpoint({
  right: 'company.trade.sale.return',
  strict: true,
  body: ReturnInput,
  response: ReturnPreview,
  note:
    'Nothing is written, and no id is drawn: `Idempotency-Key` has no effect. Payments may be left out or fall ' +
    'short: `due.left` is still to be paid out. The desk needs no open shift. With `due.left` paid, an open shift and ' +
    'nothing changed, the call itself succeeds.',
  run: ({ actor, id, body, at }) => previewReturn(actor, { id, ...body }, at),
});
