import * as z from 'zod';
import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { balanceChangeWrites, canOwe } from '#lib/clients/balance-change.ts';
import { ClientBalances, clientBalancesKey } from '#lib/clients/client-balances.ts';
import { documentInsertion, documentReplacement, getDocumentToChange } from '#lib/records/documents.ts';
import { parseRecord } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { badRequest, invalid } from '#lib/values/api-error.ts';
import { nonBlankText } from '#lib/values/fields.ts';
import { amount, type MinorUnits } from '#lib/values/money.ts';
import { NOT_REVERSED, type ReversalInput, requireReversible } from '#lib/values/reversal.ts';
import { dayOf, type Instant } from '#lib/values/time.ts';
import { debtAfter, debtWrites } from './change.ts';
import { debts, remainderOf } from './record.ts';
import { type DebtWriteOff, debtWriteOffs } from './write-off-record.ts';

/** Input to write off a debt, all that is left unless an amount is named. Part 5, 5A.7. */
export const DebtWriteOffInput = z.object({
  amount: amount(0.01).nullish(),
  comment: nonBlankText(1000),
});

type DebtWriteOffInput = z.output<typeof DebtWriteOffInput> & { readonly id: number };

type Reversal = z.output<typeof ReversalInput> & { readonly id: number };

/**
 * Writes off a debt, or a part of it: the client owes less, and no money moves. 400 if nothing of it is left,
 * 422 on a larger amount. Part 5, 5A.7, 3 and 4. Three round trips.
 */
export function writeOff(
  actor: Staff,
  { id: debt_id, ...input }: DebtWriteOffInput,
  at: Instant,
  saveResponse: (made: DebtWriteOff) => Write[],
): Promise<DebtWriteOff> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const [id, debt] = await Promise.all([
      nextId(debtWriteOffs.type, tenant),
      getDocumentToChange(debts, actor, debt_id),
    ]);
    const left = remainderOf(debt);
    if (left === 0) throw badRequest('debt.nothing_left');
    const sum = input.amount ?? left;
    if (sum > left) throw invalid({ amount: { key: 'debt.more_than_left', with: { left: left / 100 } } });
    const { client_id, company_id, currency } = debt;
    const sums = ClientBalances.parse(await getItem(clientBalancesKey(tenant, client_id)));
    const whose = { id, debt_id, client_id, company_id, currency };
    const made = {
      ...whose,
      amount: sum,
      comment: input.comment,
      ...NOT_REVERSED,
      ...makerOf(actor),
      created_at: at,
    };
    await transact([
      documentInsertion(debtWriteOffs, tenant, made),
      ...debtWrites(tenant, debt, debtAfter(debt, { writtenOff: sum }, at)),
      ...clientDebtWrites(tenant, { ...whose, debt: -sum }, sums, at),
      ...saveResponse(made),
    ]);
    return made;
  });
}

/**
 * Reverses a write-off: the part of its debt that is still written off, at most its amount, is owed again,
 * even above the client's limit. 400 for a reversal, for a reversed one, if nothing is written off any more,
 * and for a deleted client. Part 5, 5.0, 3; Part 5, 5A.7, 4. Three round trips.
 */
export function reverseWriteOff(
  actor: Staff,
  { id, comment }: Reversal,
  at: Instant,
  saveResponse: (reversal: DebtWriteOff) => Write[],
): Promise<DebtWriteOff> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const [reversalId, before] = await Promise.all([
      nextId(debtWriteOffs.type, tenant),
      getDocumentToChange(debtWriteOffs, actor, id),
    ]);
    requireReversible(before);
    const { debt_id, client_id, company_id, currency } = before;
    const [debtItem, sumsItem] = await getItems([
      recordKey(debts.type, tenant, debt_id),
      clientBalancesKey(tenant, client_id),
    ]);
    const [debt, sums] = [parseRecord(debts.schema, debtItem), ClientBalances.parse(sumsItem)];
    const sum = Math.min(before.amount, debt.written_off_amount ?? 0);
    if (sum === 0) throw badRequest('debt_writeoff.nothing_left');
    if (!canOwe(sums, { debt: sum, currency })) throw badRequest('debt_writeoff.client_gone');
    const whose = { id: reversalId, debt_id, client_id, company_id, currency };
    const links = { reversal_of_id: id, reversal_id: null };
    const made = { ...whose, amount: -sum, comment, ...links, ...makerOf(actor), created_at: at };
    await transact([
      ...documentReplacement(debtWriteOffs, tenant, before, { ...before, reversal_id: reversalId }),
      documentInsertion(debtWriteOffs, tenant, made),
      ...debtWrites(tenant, debt, debtAfter(debt, { writtenOff: -sum }, at)),
      ...clientDebtWrites(tenant, { ...whose, debt: sum }, sums, at),
      ...saveResponse(made),
    ]);
    return made;
  });
}

/** Builds the writes of a client's debt, even above the limit. */
function clientDebtWrites(
  tenant: Tenant,
  {
    client_id: id,
    currency,
    debt,
  }: Pick<DebtWriteOff, 'client_id' | 'currency'> & { readonly debt: MinorUnits },
  sums: ClientBalances,
  at: Instant,
): Write[] {
  return balanceChangeWrites({ tenant, id }, sums, { spent: 0, debt, currency, mayExceed: true }, dayOf(at));
}
