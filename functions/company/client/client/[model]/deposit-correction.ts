import { DepositEntry } from '#lib/clients/deposit/record.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { DepositCorrectionInput } from '#lib/trade/deposit/input.ts';
import { correctDeposit } from '#lib/trade/deposit/move.ts';

export const POST = endpoint({
  right: 'company.client.client.deposit-correction',
  idempotent: true,
  body: DepositCorrectionInput,
  response: DepositEntry,
  note: 'Changes the deposit without money at a desk, below zero too, but never below a deposit of 0.',
  run: ({ actor, id, body, at, saveResponse }) =>
    correctDeposit(actor, { ...body, client_id: id }, at, saveResponse),
});
