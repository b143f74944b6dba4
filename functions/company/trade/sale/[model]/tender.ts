import { endpoint } from '#lib/http/endpoint.ts';
import { correctTender } from '#lib/trade/sale-tender/correct.ts';
import { SaleTender, SaleTenderInput } from '#lib/trade/sale-tender/record.ts';

export const PATCH = endpoint({
  right: 'company.trade.sale.tender',
  idempotent: true,
  body: SaleTenderInput,
  response: SaleTender,
  note:
    'Corrects how the money of a sale was paid; `transactions` add up to its cash, card and bank payments. Debt ' +
    'and bonuses stay. The difference of each payment type is a transfer of the desk. Only while the shift ' +
    'of the sale is open, without shifts on its day; not for sales on credit, with returns, foreign cash, change ' +
    'or a fiscal receipt.',
  run: ({ actor, id, body, at, saveResponse }) => correctTender(actor, { ...body, id }, at, saveResponse),
});
