import { endpoint } from '#lib/http/endpoint.ts';
import { DismissalInput, RefusedSale } from '#lib/trade/refused/record.ts';
import { dismiss, get } from '#lib/trade/refused/refused.ts';

export const PATCH = endpoint({
  right: 'company.trade.sale.refused.dismiss',
  idempotent: true,
  evenInactive: true,
  body: DismissalInput,
  response: RefusedSale,
  note: 'From then on its key is rejected with `sale.dismissed`: the sale is neither retried nor stored again.',
  run: ({ actor, id, body, at, locale, saveResponse }) =>
    dismiss(actor, { id, ...body }, { at, locale, saveResponse }),
  reread: ({ actor, locale }, [id = 0]) => get(actor, id, locale),
});
