import * as z from 'zod';
import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { balanceChangeWrites, canOwe } from '#lib/clients/balance-change.ts';
import * as clients from '#lib/clients/client.ts';
import { clientBalancesIn, clientBalancesKey } from '#lib/clients/client-balances.ts';
import { CompanyId, isOpenCompany } from '#lib/people/family-record.ts';
import { BALANCE_TOO_LARGE } from '#lib/records/links/counters.ts';
import type { Write } from '#lib/table/change/write.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { Id, nonBlankText } from '#lib/values/fields.ts';
import { amount, Currency } from '#lib/values/money.ts';
import { DayField, dayOf, type Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { dueAtEndOf, newDebtWrites, unpaid } from './change.ts';
import { type Debt, debtAt, debts } from './record.ts';

type ShownDebt = z.input<typeof Debt>;

/** Input of a debt from before the first sale here. Part 5, 5A.7. */
export const OpeningDebtInput = z.object({
  client_id: Id,
  company_id: CompanyId,
  currency: Currency,
  amount: amount(0.01),
  due_date: DayField,
  comment: nonBlankText(1000),
});

type OpeningDebtInput = z.output<typeof OpeningDebtInput>;

/**
 * Creates an opening debt of a client: it has no sale, moves no money, and may exceed the client's limit. 422
 * with all failing fields. Part 5, 5A.7, 1. Two round trips.
 */
export function addOpeningDebt(
  actor: Staff,
  { client_id, due_date, ...input }: OpeningDebtInput,
  at: Instant,
  saveResponse: (debt: ShownDebt) => Write[],
): Promise<ShownDebt> {
  const { tenant } = actor;
  const company_id = input.company_id ?? actor.companyId;
  return retryOnContention(async () => {
    const issues = new ValidationIssues();
    const [isOpen, id, [client, sumsItem]] = await Promise.all([
      isOpenCompany(actor, company_id),
      nextId(debts.type, tenant),
      getItems([clients.keyOf(actor, client_id), clientBalancesKey(tenant, client_id)]),
    ]);
    const sums = clients.ifVisible(actor, client) && clientBalancesIn(sumsItem);
    const owed = { debt: input.amount, currency: input.currency };
    if (!sums) issues.add('client_id', 'validation.not_found');
    else if (!canOwe(sums, owed)) issues.add('amount', BALANCE_TOO_LARGE);
    if (!isOpen) issues.add('company_id', 'validation.not_found');
    if (!sums || issues.areAny) throw issues.refusal;
    const times = { due_date: dueAtEndOf(due_date), created_at: at, updated_at: at };
    const whose = { client_id, company_id, sale_id: null };
    const debt = unpaid({ ...input, ...makerOf(actor), ...whose, ...times, id });
    const response = debtAt(debt, at);
    const change = { ...owed, spent: 0, mayExceed: true };
    await transact([
      ...newDebtWrites(tenant, debt),
      ...balanceChangeWrites({ tenant, id: client_id }, sums, change, dayOf(at)),
      ...saveResponse(response),
    ]);
    return response;
  });
}
