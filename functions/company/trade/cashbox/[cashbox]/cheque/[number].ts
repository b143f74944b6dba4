import { endpoint } from '#lib/http/endpoint.ts';
import * as cheques from '#lib/trade/draft/desk.ts';
import { SaleDraft } from '#lib/trade/draft/record.ts';

export const GET = endpoint({
  right: 'company.trade.cashbox.cheque.show',
  params: cheques.DraftParams,
  response: SaleDraft,
  run: ({ actor, params }) => cheques.get(actor, params),
});

export const PUT = endpoint({
  right: 'company.trade.cashbox.cheque.update',
  mayNeed: { 'company.trade.sale.price-type': 'price_type_id' },
  strict: true,
  params: cheques.DraftParams,
  body: cheques.DraftInput,
  response: SaleDraft,
  note:
    'A draft belongs to the company of its desk. If the desk is deleted or moves to another company, its ' +
    'drafts no longer prevent products from being written off.',
  run: ({ actor, params, body, at }) => cheques.save(actor, params, body, at),
});

export const DELETE = endpoint({
  right: 'company.trade.cashbox.cheque.destroy',
  strict: true,
  params: cheques.DraftParams,
  run: ({ actor, params }) => cheques.clear(actor, params),
});
