import { afterAll, expect, test } from 'vitest';
import { DeskMoney, deskMoneyKey, sumsIn } from '#lib/cash/desk/money.ts';
import { ClientBalances, clientBalancesKey } from '#lib/clients/client-balances.ts';
import { newDebtWrites } from '#lib/clients/debt/change.ts';
import { readOpenDebts } from '#lib/clients/debt/open.ts';
import { debts } from '#lib/clients/debt/record.ts';
import { update } from '#lib/table/change/write.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { payDebts } from '#lib/trade/debt-payment/pay.ts';
import { DebtPaymentInput } from '#lib/trade/debt-payment/record.ts';
import { readBooksOf } from '#tests/support/books.ts';
import { addClient } from '#tests/support/clients.ts';
import { leaseRunsOut } from '#tests/support/clock.ts';
import { paying } from '#tests/support/debts.ts';
import { testDisrupted } from '#tests/support/disrupted.ts';
import { directorAs } from '#tests/support/family.ts';
import type { AnswerWrites } from '#tests/support/save-response.ts';
import { newShop } from '#tests/support/shop.ts';
import { behindProxy } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

/**
 * Debts that just exceed DynamoDB's own transactions, as each takes five writes: it, its open debt, an entry
 * of its lists, the payment and the posting. The client, the desk and the saved response are three more. A
 * refund is of one payment, and so of one debt: it never exceeds them.
 */
const MANY = 20;
const EACH_CENTS = 10_00;
const ALL_CENTS = MANY * EACH_CENTS;

const AT = Date.now();

const shop = await newShop();
const client_id = await addClient(shop);
const tenant = familyTenant(shop.companyId);
const actor = directorAs(shop.directorId, shop.companyId);

afterAll(() => proxy.stop());

/** Writes debts of missing sales: the fastest way to create so many. */
async function owe(): Promise<void> {
  const firstId = await nextId(debts.type, tenant, MANY);
  const made = { company_id: shop.companyId, creator_id: shop.directorId, impersonator_id: null, client_id };
  const owed = { currency: 'uzs', amount: EACH_CENTS, due_date: AT, comment: null } as const;
  const ids = Array.from({ length: MANY }, (_, index) => firstId + index);
  await transact([
    ...ids.flatMap((id) =>
      newDebtWrites(tenant, { id, sale_id: id, ...made, ...owed, created_at: AT, updated_at: AT }),
    ),
    update(clientBalancesKey(tenant, client_id), { add: { debt_uzs: ALL_CENTS } }),
  ]);
}

/** Returns the client's debt, by balances and by open debts, and the desk's money. */
async function sums() {
  const [[client, desk], open] = await Promise.all([
    getItems([clientBalancesKey(tenant, client_id), deskMoneyKey(tenant, shop.cashboxId)]),
    readOpenDebts(tenant, client_id, 'uzs'),
  ]);
  const owes = ClientBalances.parse(client).debt_uzs;
  return { owes, open: open.length, cash: sumsIn(DeskMoney.parse(desk)).cash_uzs ?? 0 };
}

const body = DebtPaymentInput.parse(paying(shop, client_id, { cash: ALL_CENTS / 100 }));

/** Calls of a payment: its items are locked and changed in few transactions. */
const CALLS = 13;

testDisrupted(proxy, CALLS - 1, async () => ({
  prepare: async () => {
    const { cash } = await sums();
    await owe();
    return cash;
  },
  run: (_: number, saveResponse: AnswerWrites) => payDebts(actor, body, AT, saveResponse),
  undone: async (cash: number) => {
    expect(await sums()).toEqual({ owes: ALL_CENTS, open: MANY, cash });
    leaseRunsOut();
  },
  check: async (cash: number) => {
    expect(await sums()).toEqual({ owes: 0, open: 0, cash: cash + ALL_CENTS });
  },
}));

test('the books of all these payments are right', async () => {
  const { violations, counts } = await readBooksOf(shop.companyId);
  const own = violations.filter(({ what }) => !/^is of sale \d+, which does not tell of it$/.test(what));
  expect(own.map(({ subject, what }) => `${subject} ${what}`)).toEqual([]);
  expect(counts.get('debt payments')).toBeGreaterThan(25 * MANY);
});
