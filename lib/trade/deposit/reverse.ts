import type * as z from 'zod';
import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { reverseMoney } from '#lib/cash/posting/reverse.ts';
import { canChangeDeposit, depositShortage } from '#lib/clients/balance-change.ts';
import { clientBalancesIn, clientBalancesKey } from '#lib/clients/client-balances.ts';
import { type DepositEntry, deposits, newEntry } from '#lib/clients/deposit/record.ts';
import { documentReplacement, getDocumentToChange } from '#lib/records/documents.ts';
import type { Stored } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import { getItem } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { holdDepositWrites, readHoldOf } from '#lib/trade/hold/deposit.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { type ReversalInput, requireReversible } from '#lib/values/reversal.ts';
import type { Instant } from '#lib/values/time.ts';
import { depositWrites, requirePayoutRight } from './decide-deposit.ts';

type Reversal = z.output<typeof ReversalInput> & { readonly id: number };

/**
 * Reverses an income, outcome or correction of a deposit: its money goes back at its own desk, in the shift
 * of now. 404 without the entry; 403 on an income without the right to payouts; 400 for another entry, for a
 * reversal or a reversed one, for a deleted client, for a desk that is gone or lacks the money, and if the
 * deposit is less. Part 5, 5.0, 3; Part 5, 5A.6, 1.
 */
export function reverseDeposit(
  actor: Staff,
  { id, comment }: Reversal,
  at: Instant,
  saveResponse: (reversal: DepositEntry) => Write[],
): Promise<DepositEntry> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const [reversalId, before] = await Promise.all([
      nextId(deposits.type, tenant),
      getDocumentToChange(deposits, actor, id),
    ]);
    requireReversible(before);
    if (!['income', 'outcome', 'correction'].includes(before.type)) {
      throw badRequest('deposit.not_reversible');
    }
    if (before.type === 'income') requirePayoutRight(actor);
    const { client_id, company_id, cashbox_id, currency, hold_id } = before;
    const amount = -before.amount;
    const [sumsItem, hold, money] = await Promise.all([
      getItem(clientBalancesKey(tenant, client_id)),
      readHoldOf(tenant, hold_id),
      moneyBack(actor, before, { comment, at }),
    ]);
    const sums = clientBalancesIn(sumsItem);
    if (!sums) throw badRequest('deposit.client_gone');
    if (!canChangeDeposit(sums, { deposit: amount, currency })) {
      const { key, with: values } = depositShortage(sums, { currency, deposit: amount });
      throw badRequest(key, values);
    }
    const whose = { id: reversalId, client_id, company_id, cashbox_id, currency, amount, hold_id };
    const links = { reversal_of_id: id, transfer_id: money.transferId };
    const made = { ...whose, type: 'reversal', ...links, ...makerOf(actor), comment } as const;
    const reversal = newEntry(sums, { ...made, created_at: at });
    await transact([
      ...documentReplacement(deposits, tenant, before, { ...before, reversal_id: reversalId }),
      ...depositWrites(tenant, { sums, entry: reversal }),
      ...money.writes,
      ...(hold ? holdDepositWrites(tenant, hold, amount, at) : []),
      ...saveResponse(reversal),
    ]);
    return reversal;
  });
}

/** Takes the money of an entry back at its desk; none for a correction. */
async function moneyBack(
  actor: Staff,
  { company_id, cashbox_id, transfer_id }: Stored<typeof deposits.schema>,
  occasion: { readonly comment: string; readonly at: Instant },
): Promise<{ readonly transferId: number | null; readonly writes: readonly Write[] }> {
  if (cashbox_id === null || transfer_id === null) return { transferId: null, writes: [] };
  const money = { company_id, cashbox_id, transfer_id };
  const { posting, writes } = await reverseMoney(actor, money, occasion);
  return { transferId: posting.id, writes };
}
