import * as z from 'zod';
import { ratesOf } from '#lib/cash/company-rates.ts';
import { BonusTariff, bonusTariffs } from '#lib/clients/bonus-tariff.ts';
import { type Bonuses, NO_BONUSES } from '#lib/clients/bonuses.ts';
import { Client, clients } from '#lib/clients/client.ts';
import { CLIENT_BALANCES, ClientBalances, debtIn, depositIn } from '#lib/clients/client-balances.ts';
import { Debt, debtAt, debts, StoredDebt } from '#lib/clients/debt/record.ts';
import { DebtWriteOff, debtWriteOffs } from '#lib/clients/debt/write-off-record.ts';
import { DepositEntry, deposits } from '#lib/clients/deposit/record.ts';
import { parseStored } from '#lib/records/stored.ts';
import { defineSync, EMBEDDED, type SyncDefinitions } from '#lib/sync/definition/definition.ts';
import { defineSyncWithBalances } from '#lib/sync/definition/with-balances.ts';
import { DebtPayment, debtPayments } from '#lib/trade/debt-payment/record.ts';
import { byCurrency, Money, Sums } from '#lib/values/money.ts';

/**
 * A client with debts and with bonuses in the sale currency of the caller's company: each with the first day
 * on which it may be spent, null if it may be already.
 */
const CopiedClient = Client.omit({
  ...EMBEDDED,
  bonus_entries_amount: true,
  bonus_accumulations_amount: true,
  debt_left: true,
  deposits: true,
}).extend({
  debts: Sums,
  deposits: Sums,
  bonuses: z.array(z.object({ available_on: z.string().nullable(), amount: Money })),
});

const CopiedDebt = Debt.omit({ ...EMBEDDED, client: true, overdue_days: true, due_dates: true });

const CopiedPayment = DebtPayment.omit({
  ...EMBEDDED,
  client: true,
  debt: true,
  cashbox: true,
  is_refundable: true,
});

/** Sync of clients, debts and debt payments. */
export const clientSync = {
  'client.client': () =>
    defineSyncWithBalances(clients, CopiedClient, CLIENT_BALANCES, async ({ actor }) => {
      const { saleCurrency } = await ratesOf(actor.tenant, actor.companyId);
      return (item) => {
        const sums = ClientBalances.parse(item);
        return {
          debts: byCurrency((currency) => sums[debtIn(currency)]),
          deposits: byCurrency((currency) => sums[depositIn(currency)]),
          bonuses: listBonuses(sums.bonuses[saleCurrency] ?? NO_BONUSES),
        };
      };
    }),
  'client.bonus-tariff': () => defineSync(bonusTariffs, BonusTariff.omit(EMBEDDED)),
  'client.deposit': () =>
    defineSync(deposits, DepositEntry.omit({ ...EMBEDDED, client: true, cashbox: true })),
  'client.debt': () =>
    defineSync(debts, CopiedDebt, {
      show: async (heads) =>
        heads.map((head) => {
          const debt = parseStored(StoredDebt, head);
          return { record: debtAt(debt, debt.due_date), revision: head.version };
        }),
    }),
  'client.debt-payment': () => defineSync(debtPayments, CopiedPayment),
  'client.debt-writeoff': () => defineSync(debtWriteOffs, DebtWriteOff.omit({ ...EMBEDDED, client: true })),
} satisfies SyncDefinitions;

function listBonuses({ spendable, waiting }: Bonuses) {
  const later = Object.entries(waiting).map(([available_on, amount]) => ({ available_on, amount }));
  return [{ available_on: null, amount: spendable }, ...later].filter(({ amount }) => amount !== 0);
}
