import { BothSides, ConversionInput, convert } from '#lib/cash/operation/move.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const POST = endpoint({
  right: 'company.cashbox.operation.conversion',
  idempotent: true,
  body: ConversionInput,
  response: BothSides,
  note:
    'Both amounts are recorded as exchanged, independent of the stored rates. Can be neither returned nor ' +
    'canceled.',
  run: ({ actor, body, at, saveResponse }) => convert(actor, body, at, saveResponse),
});
