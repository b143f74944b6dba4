import { describe, expect, test } from 'vitest';
import { type DeskMoney, NO_MONEY } from '#lib/cash/desk/money.ts';
import { clientBalancesKey } from '#lib/clients/client-balances.ts';
import {
  type DebtPaymentFacts,
  debtPaymentWrites,
  decideDebtPayment,
} from '#lib/trade/debt-payment/decide-payment.ts';
import { decidePortions, type PayerFacts } from '#lib/trade/debt-payment/decide-portions.ts';
import { portionsOf } from '#lib/trade/debt-payment/portions.ts';
import { DebtPaymentInput } from '#lib/trade/debt-payment/record.ts';
import { MAX_AMOUNT } from '#lib/values/money.ts';
import { AT, codesOfRefusal, director, OPEN_SHIFT, TENANT } from '#tests/support/decisions.ts';
import { NO_BALANCES } from '#tests/support/sale-contexts.ts';
import { newDebtOf } from '#tests/support/sales.ts';

const desk = { id: 2, company_id: 3, type: 'sale', money: { ...NO_MONEY, shift: OPEN_SHIFT } } as const;

/** The client owes 300.00 and 500.00, and has a deposit of 100.00. */
const sums = { ...NO_BALANCES, debt_uzs: 80_000, deposit_uzs: 10_000 };
const open = [
  { id: 1, company_id: 1, remaining_amount: 30_000 },
  { id: 2, company_id: 1, remaining_amount: 50_000 },
];
const owed = [newDebtOf({ id: 1, amount: 30_000 }), newDebtOf({ id: 2, amount: 50_000 })];

const paying = (amounts: Record<string, number>) =>
  DebtPaymentInput.parse({
    ...{ client_id: 9, cashbox_id: 2 },
    payments: Object.entries(amounts).map(([payment_type, amount]) => ({ payment_type, amount })),
  });

describe('the portions of a payment', () => {
  const decide = (amounts: Record<string, number>, given: Partial<PayerFacts> = {}) =>
    decidePortions(paying(amounts), { desk, isBankTaken: true, sums, open, ...given });
  const many = Array.from({ length: 301 }, (_, id) => ({ id, company_id: 1, remaining_amount: 100 }));

  test.for<[string, Record<string, number>, Record<string, string>, Partial<PayerFacts>?]>([
    ['of all debts', { cash: 800 }, {}],
    ['of more than all debts', { cash: 500, card: 300.01 }, { payments: 'debt_payment.too_much' }],
    ['of a client without debts', { cash: 1 }, { payments: 'debt_payment.too_much' }, { open: [] }],
    ['of 300 debts', { cash: 300 }, {}, { open: many }],
    ['of 301 debts', { cash: 300.01 }, { payments: 'debt_payment.too_many_debts' }, { open: many }],
    ['by bank', { bank: 1 }, {}],
    [
      'by bank at a company that takes none, besides too much: the total is not checked',
      { cash: 1, bank: 900 },
      { 'payments.1.payment_type': 'sale.bank_not_taken' },
      { isBankTaken: false },
    ],
    [
      'at a main desk, besides too much: both',
      { cash: 900 },
      { cashbox_id: 'debt_payment.cashbox_not_for_sales', payments: 'debt_payment.too_much' },
      { desk: { ...desk, type: 'main' } },
    ],
    [
      'at no desk and of no client: both, without the total',
      { cash: 900 },
      { cashbox_id: 'validation.not_found', client_id: 'validation.not_found' },
      { desk: undefined, sums: undefined, open: [] },
    ],
  ])('%s (Contract 9.52; Contract 9.81)', ([_, amounts, codes, given]) => {
    expect(codesOfRefusal(() => decide(amounts, given))).toEqual(codes);
  });

  test('are of the earliest debts first (Contract 9.52)', () => {
    expect(decide({ cash: 100, card: 250 }).portions).toMatchObject([
      { debt: { id: 1 }, payment_type: 'cash', amount: 10_000, index: 0 },
      { debt: { id: 1 }, payment_type: 'card', amount: 20_000, index: 1 },
      { debt: { id: 2 }, payment_type: 'card', amount: 5000, index: 1 },
    ]);
  });
});

describe('a payment of debts', () => {
  const decide = (amounts: Record<string, number>, given: Partial<DebtPaymentFacts> = {}) => {
    const input = paying(amounts);
    const ids = { payment: 40, posting: 60, entry: 80 };
    const facts = { ids, desk, sums, portions: portionsOf(open, input.payments), owed, ...given };
    return decideDebtPayment(director, input, facts, AT);
  };
  const deskWith = (money: Partial<DeskMoney>) => ({ desk: { ...desk, money: { ...desk.money, ...money } } });

  test.for<[string, Record<string, number>, Record<string, string>, Partial<DebtPaymentFacts>?]>([
    ['with money', { cash: 300, card: 500 }, {}],
    ['of all the deposit', { deposit: 100 }, {}],
    ['of more than the deposit', { cash: 1, deposit: 100.01 }, { 'payments.1.amount': 'deposit.not_enough' }],
    [
      'that a desk has no room for',
      { card: 1, cash: 500 },
      { 'payments.1.amount': 'balance.too_large' },
      deskWith({ cash_uzs: MAX_AMOUNT }),
    ],
    [
      'of more than the deposit, and that a desk has no room for: both',
      { cash: 1, deposit: 101 },
      { 'payments.0.amount': 'balance.too_large', 'payments.1.amount': 'deposit.not_enough' },
      deskWith({ cash_uzs: MAX_AMOUNT }),
    ],
  ])('%s (Contract 8; Part 5, 5A.6, 2)', ([_, amounts, codes, given]) => {
    expect(codesOfRefusal(() => decide(amounts, given))).toEqual(codes);
  });

  test('is a payment and an income of the desk for each portion, in order (Contract 9.52)', () => {
    const { data, posted } = decide({ cash: 350, card: 50 });
    const own = { client_id: 9, company_id: 3, cashbox_id: 2, is_refundable: true, created_at: AT };
    expect(data).toMatchObject([
      { ...own, id: 40, debt_id: 1, payment_type: 'cash', amount: 30_000, transfer_id: 60 },
      { ...own, id: 41, debt_id: 2, payment_type: 'cash', amount: 5000, transfer_id: 61 },
      { ...own, id: 42, debt_id: 2, payment_type: 'card', amount: 5000, transfer_id: 62 },
    ]);
    expect(data.map(({ debt }) => [debt?.status, debt?.remaining_amount])).toEqual([
      ['repaid', 0],
      ['partially_repaid', 40_000],
      ['partially_repaid', 40_000],
    ]);
    expect(posted.postings).toMatchObject([
      { id: 60, type: 'income', source_type: 'debt_payment', source_id: 40, amount: 30_000 },
      { id: 61, type: 'income', source_type: 'debt_payment', source_id: 41, amount: 5000 },
      { id: 62, type: 'income', source_type: 'debt_payment', source_id: 42, amount: 5000 },
    ]);
    expect(posted.money).toMatchObject({ cash_uzs: 35_000, card_uzs: 5000 });
    expect(posted.money.shift?.debts).toEqual({ uzs: { repaid: 40_000 } });
  });

  test('by deposit has an entry for each portion, and no income (Part 5, 5A.6, 2)', () => {
    const { data, posted, entries, paid } = decide({ cash: 250, deposit: 100 });
    expect(data).toMatchObject([
      { id: 40, debt_id: 1, payment_type: 'cash', amount: 25_000, transfer_id: 60 },
      { id: 41, debt_id: 1, payment_type: 'deposit', amount: 5000, transfer_id: null },
      { id: 42, debt_id: 2, payment_type: 'deposit', amount: 5000, transfer_id: null },
    ]);
    const own = { type: 'debt_payment', client_id: 9, cashbox_id: 2, transfer_id: null };
    expect(entries).toMatchObject([
      { ...own, id: 80, source_id: 41, amount: -5000, balance_after: 5000 },
      { ...own, id: 81, source_id: 42, amount: -5000, balance_after: 0 },
    ]);
    expect(paid.map(({ after }) => after.repaid_by_deposit)).toEqual([5000, 5000]);
    expect(posted.money).toMatchObject({ cash_uzs: 25_000 });
    expect(posted.money.shift?.debts).toEqual({ uzs: { repaid: 35_000, spent: 10_000 } });
  });

  test('before the client’s last payment day cannot be refunded (Contract 9.53)', () => {
    const { data } = decide({ cash: 1 }, { sums: { ...sums, debt_paid_at: AT + 86_400_000 } });
    expect(data).toMatchObject([{ is_refundable: false }]);
  });

  test('lowers the client’s debt by all portions, and the deposit by its own (Part 5, 5A.6, 2)', () => {
    const plan = decide({ cash: 250, deposit: 100 });
    const key = clientBalancesKey(TENANT, 9);
    expect(debtPaymentWrites(TENANT, paying({ cash: 1 }), plan, AT)).toContainEqual(
      expect.objectContaining({
        key,
        change: expect.objectContaining({
          add: expect.objectContaining({ debt_uzs: -35_000, deposit_uzs: -10_000 }),
        }),
      }),
    );
  });

  test('writes each item once: payments, debts, entries, client and desk (Contract 9.52)', () => {
    const plan = decide({ cash: 250, deposit: 100 });
    const keys = debtPaymentWrites(TENANT, paying({ cash: 1 }), plan, AT).map(
      ({ key: { pk, sk } }) => `${pk} ${sk}`,
    );
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.length).toBeGreaterThanOrEqual(3 + 2 + 2 + 1 + 1);
  });
});
