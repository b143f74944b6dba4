import { requireTrading, type Staff } from '#lib/auth/actor.ts';
import { deskIn, deskKeys, requireShift, takesPayments } from '#lib/cash/desk/read.ts';
import * as clients from '#lib/clients/client.ts';
import { clientBalancesIn, clientBalancesKey } from '#lib/clients/client-balances.ts';
import { readOpenDebts } from '#lib/clients/debt/open.ts';
import { debts, remainderOf } from '#lib/clients/debt/record.ts';
import { parseRecord, type Stored } from '#lib/records/stored.ts';
import { all } from '#lib/table/expression.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { Contention } from '#lib/table/transaction/transact.ts';
import type { PayerFacts } from './decide-portions.ts';
import type { Portion } from './portions.ts';
import type { DebtPaymentInput } from './record.ts';

/**
 * Reads the desk, the client's balances and the open debts within the caller's reach, in payment order. 400
 * at the desk of a deleted company, and without the shift that the desk needs. One round trip.
 */
export async function readPayer(
  actor: Staff,
  { client_id, cashbox_id, currency, payments }: DebtPaymentInput,
): Promise<PayerFacts> {
  const { tenant } = actor;
  const [[deskItem, money, client, balances], found] = await Promise.all([
    getItems([
      ...deskKeys(actor, cashbox_id),
      clients.keyOf(actor, client_id),
      clientBalancesKey(tenant, client_id),
    ]),
    readOpenDebts(tenant, client_id, currency),
  ]);
  const desk = deskIn(actor, [deskItem, money]);
  const sums = clients.ifVisible(actor, client) && clientBalancesIn(balances);
  const reach = all(debts.reach?.(actor) ?? []);
  const open = found.filter((debt) => reach.matches(debt));
  if (!desk) return { desk, isBankTaken: true, sums, open };
  requireTrading(actor, desk);
  const [isBankTaken] = await Promise.all([takesPayments(actor, desk, payments), requireShift(actor, desk)]);
  return { desk, isBankTaken, sums, open };
}

/** Reads the debts being paid. `Contention` if one has changed since its open debt was read. */
export async function readDebtsOf(
  tenant: Tenant,
  portions: readonly Portion[],
): Promise<readonly Stored<typeof debts.schema>[]> {
  const open = [...new Set(portions.map(({ debt }) => debt))];
  const items = await getItems(open.map(({ id }) => recordKey(debts.type, tenant, id)));
  const owed = items.map((item) => parseRecord(debts.schema, item));
  const isSame = open.every(({ remaining_amount }, index) => {
    const debt = owed[index];
    return debt && remainderOf(debt) === remaining_amount;
  });
  if (!isSame) throw new Contention();
  return owed;
}
