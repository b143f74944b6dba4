import { describe, expect, test } from 'vitest';
import { NO_MONEY } from '#lib/cash/desk/money.ts';
import type { Payment } from '#lib/trade/sale/record.ts';
import {
  decideTender,
  movesBetween,
  requireCorrectable,
  requireSameShift,
  type TenderFacts,
  tenderWrites,
} from '#lib/trade/sale-tender/decide.ts';
import { SaleTenderInput } from '#lib/trade/sale-tender/record.ts';
import { AT, codesOfRefusal, director, TENANT } from '#tests/support/decisions.ts';
import { newSaleOf } from '#tests/support/sales.ts';

const by = (
  payment_type: Payment['payment_type'],
  amount: number,
  currency: Payment['currency'] = 'uzs',
): Payment => ({
  ...{ payment_type, amount, currency, counted_amount: amount },
  ...{ transfer_id: 7, debt_id: null },
});

/** 100.00 in cash and 30.00 on debt. */
const sale = newSaleOf({ id: 40, sold_at: AT, transactions: [by('cash', 10_000), by('debt', 3000)] });

/** The desk has 90.00 in cash. */
const desk = { id: 2, company_id: 1, type: 'sale', money: { ...NO_MONEY, cash_uzs: 9000 } } as const;
const facts: TenderFacts = { ids: { tender: 50, posting: 60 }, sale, desk, isBankTaken: true };

const to = (sums: Record<string, number>) =>
  SaleTenderInput.parse({
    transactions: Object.entries(sums).map(([payment_type, amount]) => ({ payment_type, amount })),
  }).transactions;

describe('a correction of payment types', () => {
  test.for<[string, Record<string, number>, Record<string, string>, TenderFacts?]>([
    ['to another type, in part', { cash: 20, card: 80 }, {}],
    ['to the same', { cash: 100 }, { transactions: 'sale_tender.unchanged' }],
    ['to less', { card: 99.99 }, { transactions: 'sale.payments_differ' }],
    ['to the whole with its debt', { card: 130 }, { transactions: 'sale.payments_differ' }],
    ['of more than the desk has', { card: 100 }, { transactions: 'cashbox.not_enough_money' }],
    [
      'by bank at a company that takes none',
      { cash: 50, bank: 50 },
      { 'transactions.1.payment_type': 'sale.bank_not_taken' },
      { ...facts, isBankTaken: false },
    ],
  ])('%s (Part 5, 5A.8, 2)', ([_, sums, codes, given = facts]) => {
    expect(codesOfRefusal(() => decideTender(director, to(sums), given, AT))).toEqual(codes);
  });

  test('pays out what a type lost, then takes in what others gained (Part 5, 5A.8, 2)', () => {
    expect(movesBetween(sale, to({ card: 70, cash: 10, bank: 20 }))).toMatchObject([
      { type: 'outcome', payment_type: 'cash', amount: 9000 },
      { type: 'income', payment_type: 'card', amount: 7000 },
      { type: 'income', payment_type: 'bank', amount: 2000 },
    ]);
  });

  test('keeps debt, the first payments and the posting of what stays (Part 5, 5A.8, 2)', () => {
    const plan = decideTender(director, to({ cash: 20, card: 80 }), facts, AT);
    expect(plan.after).toMatchObject({
      transactions: [
        { payment_type: 'cash', amount: 2000, transfer_id: 7 },
        { payment_type: 'card', amount: 8000, transfer_id: 61 },
        { payment_type: 'debt', amount: 3000 },
      ],
      first_transactions: sale.transactions,
    });
    expect(plan.correction).toMatchObject({ id: 50, sale_id: 40, transfer_ids: [60, 61] });
    expect(plan.posted.money).toMatchObject({ cash_uzs: 1000, card_uzs: 8000 });
    const keys = tenderWrites(TENANT, plan).map(({ key: { pk, sk } }) => `${pk} ${sk}`);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

/** Foreign cash as stored in a purse: currency, amount, gone, left, rates. */
const DOLLARS = [['usd', 100, 0, 1_250_000, 1_250_000, 100]];

test.for<[string, unknown, Record<string, number>, unknown]>([
  ['loses what came by no bank', [7000, DOLLARS, 300], { cash: 80, card: 20 }, [2000, DOLLARS, 300]],
  ['gains what came by bank', [7000, DOLLARS], { cash: 10, bank: 90 }, [11_000, DOLLARS]],
  ['keeps the rest', [7000, []], { card: 50, bank: 50 }, [7000, []]],
  ['has no bank part without a credit sale', [null, DOLLARS, 300], { cash: 100 }, [null, DOLLARS, 300]],
  ['is not stored without one', undefined, { cash: 100 }, undefined],
])('the purse of a corrected sale %s (Contract 9.27; Part 5, 5A.8, 2)', ([_, purse, sums, expected]) => {
  const paid = { ...sale, transactions: [by('cash', 5000), by('bank', 5000)], ...(purse ? { purse } : {}) };
  const money = { ...desk.money, bank_uzs: 9000 };
  const { after } = decideTender(director, to(sums), { ...facts, sale: paid, desk: { ...desk, money } }, AT);
  expect(Object(after).purse).toEqual(expected);
});

const fiscal = { terminal_id: 'T1', receipt_number: '17', sign: null, fiscalized_at: AT, qr_url: null };

test.for<[string, Parameters<typeof newSaleOf>[0], Record<string, string>]>([
  ['one made here', {}, {}],
  ['one on credit', { source_type: 'credit' }, { 400: 'sale_tender.of_credit' }],
  ['one returned in part', { status: 'partial_returned' }, { 400: 'sale_tender.returned' }],
  ['one returned whole', { status: 'full_returned' }, { 400: 'sale_tender.returned' }],
  ['one with foreign cash', { transactions: [by('cash', 100, 'usd')] }, { 400: 'sale_tender.foreign' }],
  ['one with change', { change_amount: 1 }, { 400: 'sale_tender.foreign' }],
  ['one with a fiscal receipt', { fiscal }, { 400: 'sale_tender.fiscalized' }],
])('a sale is corrected: %s (Part 5, 5A.8, 2)', ([_, given, codes]) => {
  expect(codesOfRefusal(() => requireCorrectable({ ...sale, ...given }))).toEqual(codes);
});

test.for<[string, { shift_id?: number; sold_at: number }, number | undefined, Record<string, string>]>([
  ['in its own open shift', { shift_id: 5, sold_at: 0 }, 5, {}],
  ['in a later shift', { shift_id: 5, sold_at: AT }, 6, { 400: 'sale_tender.shift_closed' }],
  ['after its shift', { shift_id: 5, sold_at: AT }, undefined, { 400: 'sale_tender.shift_closed' }],
  ['without a shift, on its day', { sold_at: AT }, undefined, {}],
  [
    'without a shift, on a later day',
    { sold_at: AT - 86_400_000 },
    undefined,
    { 400: 'sale_tender.not_today' },
  ],
])('a sale is corrected %s (Part 5, 5A.8, 2)', ([_, sold, open, codes]) => {
  expect(codesOfRefusal(() => requireSameShift(sold, open, AT))).toEqual(codes);
});
