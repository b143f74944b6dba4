import { describe, expect, test } from 'vitest';
import { makerOf } from '#lib/auth/actor.ts';
import { NO_MONEY } from '#lib/cash/desk/money.ts';
import { clientBalancesKey } from '#lib/clients/client-balances.ts';
import {
  decideRefund,
  type RefundFacts,
  refundWrites,
  requireRefundable,
  requireRoom,
} from '#lib/trade/debt-payment/decide-refund.ts';
import { MAX_AMOUNT } from '#lib/values/money.ts';
import {
  AT,
  cashier,
  codesOfRefusal,
  director,
  OPEN_SHIFT,
  STORED_DOCUMENT,
  TENANT,
} from '#tests/support/decisions.ts';
import { NO_BALANCES } from '#tests/support/sale-contexts.ts';
import { newDebtOf, newSaleOf } from '#tests/support/sales.ts';

const DAY_MS = 86_400_000;
const BALANCES = clientBalancesKey(TENANT, 9);

/** 40.00 in cash, of a debt of 100.00 of which 60.00 are repaid. */
const payment: RefundFacts['payment'] = {
  ...{ ...STORED_DOCUMENT, ...makerOf({ id: 1 }), client_id: 9, debt_id: 1, cashbox_id: 2 },
  ...{ is_refunded: false, is_imported: false, payment_type: 'cash', currency: 'uzs', amount: 4000 },
  ...{ transfer_id: 60, refund_transfer_id: null, created_at: AT },
};
const byDeposit: RefundFacts['payment'] = { ...payment, payment_type: 'deposit', transfer_id: null };
const debt = newDebtOf({ amount: 10_000, repaid_amount: 6000, repaid_by_deposit: 6000 });
const sums = { ...NO_BALANCES, debt_uzs: 4000, debt_paid_at: AT };

/** The desk has 50.00 in cash. */
const money = { ...NO_MONEY, cash_uzs: 5000, shift: OPEN_SHIFT };
const desk = { id: 2, company_id: 1, type: 'sale', money } as const;

test.for<[string, Partial<RefundFacts['payment']>, Partial<RefundFacts>, Record<string, string>]>([
  ['of today', {}, {}, {}],
  ['refunded before', { is_refunded: true }, {}, { 400: 'debt_payment.not_refundable' }],
  ['imported', { is_imported: true }, {}, { 400: 'debt_payment.not_refundable' }],
  [
    'of an earlier day than the last',
    { created_at: AT - DAY_MS },
    {},
    { 400: 'debt_payment.not_refundable' },
  ],
  ['of a client who has never paid', {}, { sums: NO_BALANCES }, { 400: 'debt_payment.not_refundable' }],
  [
    'of a desk that is another company’s now',
    {},
    { desk: { ...desk, company_id: 2 } },
    { 400: 'debt_payment.cashbox_gone' },
  ],
])('a payment is refunded: one %s (Contract 9.53)', ([_, given, facts, codes]) => {
  const require = () => requireRefundable({ ...payment, ...given }, { desk, sums, ...facts });
  expect(codesOfRefusal(require)).toEqual(codes);
});

test('a payment of a desk that is gone is not refunded (Contract 9.53)', () => {
  const codes = codesOfRefusal(() => requireRefundable(payment, { desk: undefined, sums }));
  expect(codes).toEqual({ 400: 'debt_payment.cashbox_gone' });
});

test.for<[string, RefundFacts['payment'], Partial<RefundFacts['sums']>, Record<string, string>]>([
  ['as before', payment, {}, {}],
  ['without the client', payment, { is_deleted: true }, { 400: 'debt_payment.client_gone' }],
  ['over the largest debt', payment, { debt_uzs: MAX_AMOUNT - 3999 }, { 400: 'debt_payment.client_gone' }],
  ['with the largest deposit, of money', payment, { deposit_uzs: MAX_AMOUNT }, {}],
  ['over the largest deposit', byDeposit, { deposit_uzs: MAX_AMOUNT - 3999 }, { 400: 'balance.too_large' }],
])('a refund is owed again, %s (Contract 8; Part 5, 5A.6, 3)', ([_, given, balances, codes]) => {
  expect(codesOfRefusal(() => requireRoom(given, { ...sums, ...balances }))).toEqual(codes);
});

describe('a refund', () => {
  const decide = (given: Partial<RefundFacts> = {}) =>
    decideRefund(director, { firstId: 70, payment, desk, sums, debt, sale: undefined, ...given }, AT);

  /** Sale on debt, by returns of which as much is paid out. */
  const paidOut = (amount: number) => newSaleOf({ sold_amount: 10_000, paid_out_amount: amount });

  test.for<[string, Partial<RefundFacts>, Record<string, string>]>([
    ['of a sale that still has the money', { sale: paidOut(2000) }, {}],
    ['of a sale that has paid it out', { sale: paidOut(2001) }, { 400: 'debt_payment.paid_out' }],
    [
      'of money that the desk lacks',
      { desk: { ...desk, money: { ...money, cash_uzs: 3999 } } },
      { 400: 'cashbox.not_enough_money' },
    ],
    [
      'of both: first of the sale',
      { sale: paidOut(2001), desk: { ...desk, money: NO_MONEY } },
      { 400: 'debt_payment.paid_out' },
    ],
    ['to the deposit, whatever the desk has', { payment: byDeposit, desk: { ...desk, money: NO_MONEY } }, {}],
  ])('%s (Contract 8)', ([_, given, codes]) => {
    expect(codesOfRefusal(() => decide(given))).toEqual(codes);
  });

  /** Debt of which 60.00 are repaid, 30.00 of these from the deposit. */
  const partly = { ...debt, repaid_by_deposit: 3000 };

  test.for<[string, Partial<RefundFacts>, Record<string, string>]>([
    ['with money that is still there', { sale: newSaleOf({ received_amount: 1000 }) }, {}],
    ['with money in whose place it came', { sale: newSaleOf({}) }, { 400: 'debt_payment.paid_out' }],
    ['of an opening debt, which passes nothing on', {}, {}],
    ['of the deposit itself', { sale: newSaleOf({ passed_on_amount: 2000 }), payment: byDeposit }, {}],
  ])('leaves in the sale what came from the deposit: one %s (Part 5, 5A.6, 3)', ([_, given, codes]) => {
    const facts = { firstId: 70, payment, desk, sums, debt: partly, sale: undefined, ...given };
    expect(codesOfRefusal(() => decideRefund(cashier, facts, AT))).toEqual(codes);
    expect(codesOfRefusal(() => decideRefund(director, facts, AT))).toEqual({});
  });

  test('with money leaves the desk, and is owed again (Contract 9.53)', () => {
    const { outcome, entry, owed, response } = decide();
    expect(outcome.postings).toMatchObject([
      { id: 70, type: 'outcome', payment_type: 'cash', amount: 4000, source_id: payment.id },
    ]);
    expect(outcome.money).toMatchObject({ cash_uzs: 1000, shift: { debts: { uzs: { refunded: 4000 } } } });
    expect(entry).toBeUndefined();
    expect(owed).toMatchObject({ repaid_amount: 2000, repaid_by_deposit: 6000, status: 'partially_repaid' });
    expect(response).toMatchObject({ is_refunded: true, is_refundable: false, refund_transfer_id: 70 });
    expect(response.debt?.remaining_amount).toBe(8000);
  });

  test('by deposit goes back to the deposit, and not over the desk (Part 5, 5A.6, 3)', () => {
    const { outcome, entry, owed, response } = decide({ payment: byDeposit });
    expect(outcome.postings).toEqual([]);
    expect(outcome.money).toMatchObject({
      cash_uzs: 5000,
      shift: { debts: { uzs: { refunded: 4000, returned: 4000 } } },
    });
    expect(entry).toMatchObject({
      ...{ id: 70, type: 'debt_payment', source_id: payment.id, client_id: 9, cashbox_id: 2 },
      ...{ amount: 4000, balance_after: 4000, transfer_id: null },
    });
    expect(owed).toMatchObject({ repaid_amount: 2000, repaid_by_deposit: 2000 });
    expect(response).toMatchObject({ is_refunded: true, refund_transfer_id: null });
  });

  test.for<[string, Partial<RefundFacts>]>([
    ['with money', {}],
    ['with money, of a sale', { sale: paidOut(0) }],
    ['by deposit', { payment: byDeposit }],
  ])('%s writes each item once (Contract 9.53)', ([_, given]) => {
    const keys = refundWrites(TENANT, decide(given)).map(({ key: { pk, sk } }) => `${pk} ${sk}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('raises the client’s debt, and the deposit if it was paid from (Part 5, 5A.6, 3)', () => {
    const changesOf = (given: Partial<RefundFacts>) =>
      refundWrites(TENANT, decide(given)).find(({ key }) => key.sk === BALANCES.sk && key.pk === BALANCES.pk)
        ?.change;
    const add = (sums: object) => expect.objectContaining({ add: expect.objectContaining(sums) });
    expect(changesOf({ payment: byDeposit })).toEqual(add({ debt_uzs: 4000, deposit_uzs: 4000 }));
    expect(changesOf({})).toEqual(add({ debt_uzs: 4000 }));
    expect(changesOf({})).not.toEqual(add({ deposit_uzs: expect.anything() }));
  });

  test('of a sale is refused if the sale changes at the same moment (Contract 8)', () => {
    const writes = refundWrites(TENANT, decide()).length;
    expect(refundWrites(TENANT, decide({ sale: paidOut(0) }))).toHaveLength(writes + 1);
  });
});
