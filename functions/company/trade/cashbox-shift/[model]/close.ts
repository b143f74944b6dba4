import { endpoint } from '#lib/http/endpoint.ts';
import { ClosedShift, closeShift } from '#lib/trade/shift/close.ts';
import { ClosingInput } from '#lib/trade/shift/record.ts';

export const PATCH = endpoint({
  right: 'company.trade.cashbox-shift.close',
  idempotent: true,
  figure: 'shifts_closed',
  body: ClosingInput,
  response: ClosedShift,
  note:
    'Payment types and currencies not in `actuals` count as expected. A difference is posted as an operation ' +
    'with source type `shift`, and is not part of `income` or `outcome`. `open_cheques` lists the drafts left ' +
    'at the desk. Allowed for the user who opened the shift and for directors.',
  run: ({ actor, id, body, at, locale, saveResponse }) =>
    closeShift(actor, { id, ...body }, { at, locale }, saveResponse),
});
