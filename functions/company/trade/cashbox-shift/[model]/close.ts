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
    'What is not among `actuals` is as it should be. A difference is posted as a transfer of source `shift`, ' +
    'and is no part of `income` or `outcome`. Drafts that are left at the desk are in `open_cheques`. ' +
    'Who opened the shift or a director closes it.',
  run: ({ actor, id, body, at, locale, saveResponse }) =>
    closeShift(actor, { id, ...body }, { at, locale }, saveResponse),
});
