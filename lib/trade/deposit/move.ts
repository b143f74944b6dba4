import type { Staff } from '#lib/auth/actor.ts';
import { deskIn, deskKeys, requireShift } from '#lib/cash/desk/read.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import * as clients from '#lib/clients/client.ts';
import { clientBalancesIn, clientBalancesKey } from '#lib/clients/client-balances.ts';
import { type DepositEntry, deposits } from '#lib/clients/deposit/record.ts';
import type { Write } from '#lib/table/change/write.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { findHold } from '#lib/trade/hold/deposit.ts';
import type { Instant } from '#lib/values/time.ts';
import {
  type DepositFacts,
  type DepositorFacts,
  decideDeposit,
  decideDepositCorrection,
  depositMoveWrites,
  depositWrites,
  requirePayoutRight,
} from './decide-deposit.ts';
import type { ClientDepositInput, DepositCorrectionInput } from './input.ts';

/**
 * Takes money of a client at a desk into the deposit, or pays it out. 404 without the client; 403 on a payout
 * without its right; 422 with all failing fields, on `amount` if deposit or desk have less; 400 without the
 * open shift that the desk needs. Part 5, 5A.6. Two round trips.
 */
export async function moveDeposit(
  actor: Staff,
  input: ClientDepositInput,
  at: Instant,
  saveResponse: (entry: DepositEntry) => Write[],
): Promise<DepositEntry> {
  if (input.type === 'outcome') requirePayoutRight(actor);
  return retryOnContention(async () => {
    const plan = decideDeposit(actor, input, await readDeposit(actor, input), at);
    await requireShift(actor, plan.posted.desk);
    await transact([...depositMoveWrites(actor.tenant, plan), ...saveResponse(plan.entry)]);
    return plan.entry;
  });
}

/** Reads the client, the desk and the hold of a movement, and draws its ids. One round trip. */
async function readDeposit(
  actor: Staff,
  { client_id, cashbox_id, hold_id }: ClientDepositInput,
): Promise<DepositFacts> {
  const { tenant } = actor;
  const [entryId, postingId, hold, [client, sums, desk, money]] = await Promise.all([
    nextId(deposits.type, tenant),
    nextId(POSTING, tenant),
    findHold(actor, hold_id),
    getItems([
      clients.keyOf(actor, client_id),
      clientBalancesKey(tenant, client_id),
      ...deskKeys(actor, cashbox_id),
    ]),
  ]);
  const depositor = clients.ifVisible(actor, client) && clientBalancesIn(sums);
  return { entryId, postingId, sums: depositor, desk: deskIn(actor, [desk, money]), hold };
}

/**
 * Corrects a client's deposit; no money moves. 404 without the client, 422 on `amount` if the deposit is
 * less. Part 5, 5A.6. Two round trips.
 */
export async function correctDeposit(
  actor: Staff,
  input: DepositCorrectionInput,
  at: Instant,
  saveResponse: (entry: DepositEntry) => Write[],
): Promise<DepositEntry> {
  return retryOnContention(async () => {
    const plan = decideDepositCorrection(actor, input, await readDepositor(actor, input), at);
    await transact([...depositWrites(actor.tenant, plan), ...saveResponse(plan.entry)]);
    return plan.entry;
  });
}

/** Reads the client of a correction, and draws its id. One round trip. */
async function readDepositor(
  actor: Staff,
  { client_id }: Pick<DepositCorrectionInput, 'client_id'>,
): Promise<DepositorFacts> {
  const [entryId, [client, sums]] = await Promise.all([
    nextId(deposits.type, actor.tenant),
    getItems([clients.keyOf(actor, client_id), clientBalancesKey(actor.tenant, client_id)]),
  ]);
  return { entryId, sums: clients.ifVisible(actor, client) && clientBalancesIn(sums) };
}
