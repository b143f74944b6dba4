import { DepositEntry } from '#lib/clients/deposit/record.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { reverseDeposit } from '#lib/trade/deposit/reverse.ts';
import { ReversalInput } from '#lib/values/reversal.ts';

export const POST = endpoint({
  right: 'company.client.deposit.reverse',
  mayNeed: { 'company.client.client.deposit-payout': null },
  idempotent: true,
  body: ReversalInput,
  response: DepositEntry,
  note:
    'Reverses an income, an outcome or a correction. The money goes back at its own desk, in the shift that is ' +
    'open now; an income requires the right `company.client.client.deposit-payout`, too.',
  run: ({ actor, id, body, at, saveResponse }) => reverseDeposit(actor, { ...body, id }, at, saveResponse),
});
