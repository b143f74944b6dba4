import { DepositEntry } from '#lib/clients/deposit/record.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { ClientDepositInput } from '#lib/trade/deposit/input.ts';
import { moveDeposit } from '#lib/trade/deposit/move.ts';

export const POST = endpoint({
  right: 'company.client.client.deposit',
  mayNeed: { 'company.client.client.deposit-payout': null },
  idempotent: true,
  body: ClientDepositInput,
  response: DepositEntry,
  note:
    'Money of the client that the family keeps: `income` takes it at the desk, `outcome` pays it out and ' +
    'requires the right `company.client.client.deposit-payout`.',
  run: ({ actor, id, body, at, saveResponse }) =>
    moveDeposit(actor, { ...body, client_id: id }, at, saveResponse),
});
