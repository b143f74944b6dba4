import { describe, expect, test } from 'vitest';
import { NO_MONEY } from '#lib/cash/desk/money.ts';
import { decideSale, type SaleFacts } from '#lib/trade/checkout/decide-sale.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { AT, codesOfDecision, director } from '#tests/support/decisions.ts';
import { NO_BALANCES, newSaleFactsOf } from '#tests/support/sale-contexts.ts';

/** The desk has 1 000.00 in cash; the client has bonuses of 100.00 and a deposit of 100.00. */
const desk = { id: 2, company_id: 1, type: 'sale', money: { ...NO_MONEY, cash_uzs: 100_000 } } as const;
const bonuses = { uzs: { spendable: 10_000, waiting: {} } };
const clientSums = { ...NO_BALANCES, bonuses, deposit_uzs: 10_000 };
/** A dollar is 100.00, a rouble 0.40; the euro has no rate. */
const rates = { uzs: 100, usd: 10_000, eur: 0, rub: 40 };

function factsWith(context: Partial<SaleFacts['basis']> = {}): SaleFacts {
  return newSaleFactsOf(
    {},
    { desk, clientSums, pricing: { currency: 'uzs', rates, canDiscount: true }, ...context },
  );
}

/** Sells two pieces for 200.00. */
function decide(transactions: readonly object[], given: object = {}, facts = factsWith()) {
  const place = { cashbox_id: 2, stock_id: 3, currency: 'uzs', client_id: 9, due_date: '2026-07-01' };
  const sale = { products: [{ product_id: 1, sold_quantity: 2 }], transactions };
  return decideSale(director, SaleInput.parse({ ...place, ...sale, ...given }), facts, { at: AT });
}

const by = (payment_type: string, amount: number, currency?: string) => ({ payment_type, amount, currency });
const cash = (amount: number, currency?: string) => by('cash', amount, currency);
const handed = (payment: object, tendered_amount: number) => ({ ...payment, tendered_amount });

const differ = { transactions: 'sale.payments_differ' };
const noChange = { transactions: 'sale.change_not_given' };
const tooFew = { 'transactions.0.amount': 'deposit.not_enough' };
const noClient = { client_id: null, due_date: null };
const notCash = { 'transactions.0.currency': 'sale.foreign_not_cash' };
const TENDERED = 'transactions.0.tendered_amount';

describe('the payments of a sale', () => {
  test.for<[string, readonly object[], Record<string, string>, object?, SaleFacts?]>([
    ['the total', [cash(200)], {}],
    ['more of plain cash, which has no change', [cash(201)], differ],
    [
      'two of one type and currency, once named',
      [cash(100), cash(100, 'uzs')],
      { 'transactions.1.payment_type': 'validation.duplicate' },
    ],
    ['two of one type in two currencies', [cash(100), cash(1, 'usd')], {}],
    ['foreign cash: less than the total', [cash(1, 'usd')], differ],
    [
      'foreign cash: worth nothing',
      [cash(200), cash(0.01, 'rub')],
      { 'transactions.1.currency': 'sale.foreign_too_little' },
    ],
    [
      'foreign cash: without a rate',
      [cash(200), cash(0.01, 'eur')],
      { 'transactions.1.currency': 'rate.missing' },
    ],
    ['foreign: by card', [by('card', 1, 'usd')], notCash],
    ['foreign: by bank', [by('bank', 1, 'usd')], notCash],
    ['foreign: on debt', [by('debt', 1, 'usd')], notCash],
    ['foreign: by bonuses', [by('bonus', 1, 'usd')], notCash],
    ['foreign: by deposit (Part 5, 5A.6, 2)', [by('deposit', 1, 'usd')], notCash],
    ['change: of foreign cash', [cash(3, 'usd')], {}],
    ['change: beside less by card', [cash(3, 'usd'), by('card', 199.99)], {}],
    ['change: more than the desk has', [cash(20, 'usd')], { transactions: 'cashbox.not_enough_money' }],
    ['change: although cash alone is enough', [cash(1, 'usd'), cash(200)], noChange],
    ['change: although the card alone is enough', [cash(1, 'usd'), by('card', 210)], noChange],
    ['change: beside a debt', [cash(3, 'usd'), by('debt', 50)], noChange],
    ['change: beside bonuses', [cash(3, 'usd'), by('bonus', 50)], noChange],
    ['change: beside a deposit (Part 5, 5A.6, 2)', [cash(3, 'usd'), by('deposit', 50)], noChange],
    ['a debt beside foreign cash, without change', [cash(1, 'usd'), by('debt', 100)], {}],
    ['bonuses beside foreign cash, without change', [cash(1, 'usd'), by('bonus', 100)], {}],
    [
      'a deposit beside foreign cash, without change (Part 5, 5A.6, 2)',
      [cash(1, 'usd'), by('deposit', 100)],
      {},
    ],
    [
      'change: another than is due (Part 4, 4.6, 1)',
      [cash(3, 'usd')],
      { change_amount: 'sale.change_differs' },
      { change_amount: 99 },
    ],
    ['change: just what is due (Part 4, 4.6, 1)', [cash(3, 'usd')], {}, { change_amount: 100 }],
    ['deposit: all of it (Part 5, 5A.6, 2)', [by('deposit', 100), cash(100)], {}],
    ['deposit: more than there is (Part 5, 5A.6, 2)', [by('deposit', 101), cash(99)], tooFew],
    [
      'deposit: more than there is, beside another total: both (Part 5, 5A.6, 2)',
      [by('deposit', 150), cash(51)],
      { ...tooFew, ...differ },
    ],
    [
      'deposit: with enough in another currency alone (Part 5, 5A.6, 2)',
      [by('deposit', 101), cash(99)],
      tooFew,
      {},
      factsWith({ clientSums: { ...clientSums, deposit_usd: 90_000 } }),
    ],
    [
      'deposit: without a client (Part 5, 5A.6, 2)',
      [by('deposit', 200)],
      { client_id: 'sale.deposit_without_client' },
      noClient,
      factsWith({ clientSums: undefined }),
    ],
    [
      'bonuses: without a client',
      [by('bonus', 200)],
      { client_id: 'sale.bonus_without_client' },
      noClient,
      factsWith({ clientSums: undefined }),
    ],
    ['debt: due today', [by('debt', 200)], {}, { due_date: '2026-06-01' }],
    [
      'debt: due before today',
      [by('debt', 200)],
      { due_date: 'validation.in_past' },
      { due_date: '2026-05-31' },
    ],
    ['handed over: as much as the amount (Part 5, 5B.6)', [handed(cash(200), 200)], {}],
    [
      'handed over: less (Part 5, 5B.6)',
      [handed(cash(200), 199.99)],
      { [TENDERED]: 'sale.tendered_too_little' },
    ],
    [
      'handed over: by card (Part 5, 5B.6)',
      [handed(by('card', 200), 300)],
      { [TENDERED]: 'sale.tendered_not_cash' },
    ],
    [
      'handed over: by bank (Part 5, 5B.6)',
      [handed(by('bank', 200), 300)],
      { [TENDERED]: 'sale.tendered_not_cash' },
    ],
    [
      'handed over: on debt (Part 5, 5B.6)',
      [handed(by('debt', 200), 300)],
      { [TENDERED]: 'sale.tendered_not_cash' },
    ],
    [
      'handed over: in another currency (Part 5, 5B.6)',
      [handed(cash(2, 'usd'), 3)],
      { [TENDERED]: 'sale.tendered_not_cash' },
    ],
    [
      'handed over: two that are wrong, each by itself (Part 5, 5B.6)',
      [handed(cash(100), 1), handed(by('card', 100), 100)],
      { [TENDERED]: 'sale.tendered_too_little', 'transactions.1.tendered_amount': 'sale.tendered_not_cash' },
    ],
    [
      'handed over: beside a stated change (Part 5, 5B.6)',
      [handed(cash(200), 300)],
      { [TENDERED]: 'sale.tendered_beside_change' },
      { change_amount: 0 },
    ],
    [
      'handed over: beside a due change (Part 5, 5B.6)',
      [handed(cash(50), 60), cash(2, 'usd')],
      { [TENDERED]: 'sale.tendered_beside_change' },
    ],
  ])('%s', ([_, transactions, codes, given, facts]) => {
    expect(codesOfDecision(() => decide(transactions, given, facts))).toEqual(codes);
  });
});

test('cash as handed over is kept with its change, and moves nothing (Part 5, 5B.6)', () => {
  const paidBy = (tendered: number) => {
    const decision = decide([handed(cash(200), tendered)]);
    if (!('plan' in decision)) throw decision.issues.refusal;
    return decision.plan;
  };
  expect(paidBy(200).sale.transactions).toMatchObject([{ tendered_amount: 20_000, cash_change: 0 }]);
  expect(paidBy(300).sale.transactions).toMatchObject([{ tendered_amount: 30_000, cash_change: 10_000 }]);
  expect(paidBy(300).paid.money.cash_uzs).toBe(120_000);
});
