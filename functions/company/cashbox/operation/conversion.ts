import { BothSides, ConversionInput, convert } from '#lib/cash/operation/move.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const POST = endpoint({
  right: 'company.cashbox.operation.conversion',
  idempotent: true,
  body: ConversionInput,
  response: BothSides,
  note: 'Both amounts are as they were really changed, whatever the rates say. It can be neither returned nor canceled.',
  run: ({ actor, body, at, saveResponse }) => convert(actor, body, at, saveResponse),
});
