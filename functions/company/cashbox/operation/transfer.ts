import { BothSides, MoveInput, moveBetween } from '#lib/cash/operation/move.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const POST = endpoint({
  right: 'company.cashbox.operation.transfer',
  idempotent: true,
  body: MoveInput,
  response: BothSides,
  note: 'Both desks must be accessible. Can be neither returned nor canceled: move the money back instead.',
  run: ({ actor, body, at, saveResponse }) => moveBetween(actor, body, at, saveResponse),
});
