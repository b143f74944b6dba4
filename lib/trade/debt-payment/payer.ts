import { requireTrading, type Staff } from '#lib/access/actor.ts';
import { type DeskState, deskIn, deskKeys } from '#lib/cash/desk/read.ts';
import { requireShift } from '#lib/cash/desk/shift-rule.ts';
import * as clients from '#lib/clients/client.ts';
import { type ClientSums, clientSumsIn, clientSumsKey } from '#lib/clients/client-sums.ts';
import { type OpenDebt, readOpenDebts } from '#lib/clients/debt/open.ts';
import { debts, remainderOf } from '#lib/clients/debt/record.ts';
import { type Stored, vouchRecord } from '#lib/records/stored.ts';
import { all } from '#lib/table/expression.ts';
import { type Home, recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { Contention } from '#lib/table/transaction/transact.ts';
import type { Cents } from '#lib/values/money.ts';
import type { Problems } from '#lib/values/problems.ts';
import type { DebtPaymentInput } from './input.ts';
import type { Portion } from './portion.ts';

/** What a payment of debts rests on; what a body names and is not there is undefined. */
interface Payer {
  readonly desk: DeskState | undefined;
  readonly sums: ClientSums | undefined;
  /** Debts that the caller reaches, in the order of payment. */
  readonly open: readonly OpenDebt[];
}

/**
 * Reads the desk, the client's sums and the open debts that the caller reaches. What is not there goes to
 * `problems`; 400 without the shift that the desk needs. One round trip.
 */
export async function readPayer(
  actor: Staff,
  { client_id, cashbox_id, currency }: DebtPaymentInput,
  problems: Problems,
): Promise<Payer> {
  const { home } = actor;
  const [[deskItem, money, clientItem, sumsItem], found] = await Promise.all([
    getItems([
      ...deskKeys(actor, cashbox_id),
      clients.keyOf(actor, client_id),
      clientSumsKey(home, client_id),
    ]),
    readOpenDebts(home, client_id, currency),
  ]);
  const desk = deskIn(actor, [deskItem, money]);
  if (desk) requireTrading(actor, desk);
  const sums = clients.ifVisible(actor, clientItem) && clientSumsIn(sumsItem);
  if (!desk) problems.add('cashbox_id', 'validation.not_found');
  else if (desk.type !== 'sale') problems.add('cashbox_id', 'debt_payment.cashbox_not_for_sales');
  if (!sums) problems.add('client_id', 'validation.not_found');
  const reach = all(debts.reach?.(actor) ?? []);
  if (desk) await requireShift(actor, desk);
  return { desk, sums, open: found.filter((debt) => reach.matches(debt)) };
}

/** Adds up what is left of debts. */
export function sumOwed(open: readonly OpenDebt[]): Cents {
  return open.reduce((sum, { remaining_amount }) => sum + remaining_amount, 0);
}

/** Reads the debts that are paid. `Contention` if one has changed since its open debt was read. */
export async function readDebtsOf(
  home: Home,
  portions: readonly Portion[],
): Promise<readonly Stored<typeof debts.schema>[]> {
  const open = [...new Set(portions.map(({ debt }) => debt))];
  const items = await getItems(open.map(({ id }) => recordKey(debts.type, home, id)));
  const owed = items.map((item) => vouchRecord(debts.schema, item));
  const isSame = open.every(({ remaining_amount }, index) => {
    const debt = owed[index];
    return debt && remainderOf(debt) === remaining_amount;
  });
  if (!isSame) throw new Contention();
  return owed;
}
