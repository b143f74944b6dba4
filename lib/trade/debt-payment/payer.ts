import { requireTrading, type Staff } from '#lib/auth/actor.ts';
import {
  type DeskState,
  deskIn,
  deskKeys,
  refuseBank,
  requireShift,
  takesPayments,
} from '#lib/cash/desk/read.ts';
import * as clients from '#lib/clients/client.ts';
import { type ClientBalances, clientBalancesIn, clientBalancesKey } from '#lib/clients/client-balances.ts';
import { type OpenDebt, readOpenDebts } from '#lib/clients/debt/open.ts';
import { debts, remainderOf } from '#lib/clients/debt/record.ts';
import { parseRecord, type Stored } from '#lib/records/stored.ts';
import { all } from '#lib/table/expression.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { Contention } from '#lib/table/transaction/transact.ts';
import { type MinorUnits, totalAmount } from '#lib/values/money.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import type { Portion } from './portions.ts';
import type { DebtPaymentInput } from './record.ts';

/** Limit of debts in one call, by its duration and response. */
const MAX_DEBTS = 300;

/**
 * Reads the desk, the client's balances and the open debts within the caller's reach, in payment order. 422
 * with all failing fields, if the payment exceeds the debts, and over the limit of debts in a call; 400
 * without the shift that the desk needs. One round trip.
 */
export async function readPayer(
  actor: Staff,
  { client_id, cashbox_id, currency, payments }: DebtPaymentInput,
): Promise<{ readonly desk: DeskState; readonly sums: ClientBalances; readonly open: readonly OpenDebt[] }> {
  const { tenant } = actor;
  const [[deskItem, money, clientItem, sumsItem], found] = await Promise.all([
    getItems([
      ...deskKeys(actor, cashbox_id),
      clients.keyOf(actor, client_id),
      clientBalancesKey(tenant, client_id),
    ]),
    readOpenDebts(tenant, client_id, currency),
  ]);
  const issues = new ValidationIssues();
  const desk = deskIn(actor, [deskItem, money]);
  if (desk) requireTrading(actor, desk);
  const sums = clients.ifVisible(actor, clientItem) && clientBalancesIn(sumsItem);
  if (!desk) issues.add('cashbox_id', 'validation.not_found');
  else if (desk.type !== 'sale') issues.add('cashbox_id', 'debt_payment.cashbox_not_for_sales');
  if (!sums) issues.add('client_id', 'validation.not_found');
  const reach = all(debts.reach?.(actor) ?? []);
  if (desk) {
    const [areAccepted] = await Promise.all([
      takesPayments(actor, desk, payments),
      requireShift(actor, desk),
    ]);
    if (!areAccepted) refuseBank(payments, 'payments', issues);
  }
  const open = found.filter((debt) => reach.matches(debt));
  checkTotal(totalAmount(payments), open, issues.unless('client_id', 'payments'));
  if (!desk || !sums || issues.areAny) throw issues.refusal;
  return { desk, sums, open };
}

function checkTotal(
  total: MinorUnits,
  open: readonly OpenDebt[],
  issues: Pick<ValidationIssues, 'add'>,
): void {
  const [remaining, max] = [sumOwed(open), sumOwed(open.slice(0, MAX_DEBTS))];
  if (total > remaining) {
    issues.add('payments', { key: 'debt_payment.too_much', with: { remaining: remaining / 100 } });
  } else if (total > max) {
    const limits = { max: MAX_DEBTS, amount: max / 100 };
    issues.add('payments', { key: 'debt_payment.too_many_debts', with: limits });
  }
}

function sumOwed(open: readonly OpenDebt[]): MinorUnits {
  return open.reduce((sum, { remaining_amount }) => sum + remaining_amount, 0);
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
