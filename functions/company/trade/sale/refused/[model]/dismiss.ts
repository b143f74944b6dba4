import { endpoint } from '#lib/http/endpoint.ts';
import { DismissalInput, RefusedSale } from '#lib/trade/refused/record.ts';
import { dismiss, get } from '#lib/trade/refused/refused.ts';

export const PATCH = endpoint({
  right: 'company.trade.sale.refused.dismiss',
  idempotent: true,
  evenInactive: true,
  body: DismissalInput,
  response: RefusedSale,
  note: 'Its key is answered `sale.dismissed` from then on: it is neither tried nor kept again.',
  run: ({ actor, id, body, at, locale, saveResponse }) =>
    dismiss(actor, { id, ...body }, { at, locale, saveResponse }),
  reread: ({ actor, locale }, [id = 0]) => get(actor, id, locale),
});
