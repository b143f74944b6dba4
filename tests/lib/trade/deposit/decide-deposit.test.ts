import { describe, expect, test } from 'vitest';
import { NO_MONEY } from '#lib/cash/desk/money.ts';
import {
  type DepositFacts,
  decideDeposit,
  decideDepositCorrection,
  depositMoveWrites,
  depositWrites,
  mayPayOut,
  requirePayoutRight,
} from '#lib/trade/deposit/decide-deposit.ts';
import { ClientDepositInput, DepositCorrectionInput } from '#lib/trade/deposit/input.ts';
import type { OpenHold } from '#lib/trade/hold/record.ts';
import { MAX_AMOUNT } from '#lib/values/money.ts';
import { AT, codesOfRefusal, director, STORED_DOCUMENT, TENANT } from '#tests/support/decisions.ts';
import { NO_BALANCES } from '#tests/support/sale-contexts.ts';

/** Hold 50 of client 9, in som, with 5.00 in its deposit. */
const hold: OpenHold = {
  ...STORED_DOCUMENT,
  ...{ updater_id: 1, stock_id: 3, client_id: 9, sale_id: null, full_name: 'Aziz', date: null },
  ...{ comment: null, currency: 'uzs', amount: 18_000, deposit_amount: 500, status: 'in_progress' },
  products_count: 1,
};

/** Returns facts: the client has a deposit of 100.00, the desk 90.00 in cash. */
function factsWith(given: Partial<DepositFacts> = {}): DepositFacts {
  const money = { ...NO_MONEY, cash_uzs: 9000 };
  return {
    ...{ entryId: 60, postingId: 70, sums: { ...NO_BALANCES, deposit_uzs: 10_000 }, hold: undefined },
    desk: { id: 2, company_id: 3, type: 'sale', money },
    ...given,
  };
}

const nothing: Partial<DepositFacts> = { desk: undefined, sums: NO_BALANCES };
const keysOf = (writes: ReturnType<typeof depositWrites>) =>
  writes.map(({ key: { pk, sk } }) => `${pk} ${sk}`);

describe('money of a deposit', () => {
  const decide = (body: object, given: Partial<DepositFacts> = {}, actor = director) => {
    const cash = { type: 'income', cashbox_id: 2, payment_type: 'cash', currency: 'uzs', amount: 50 };
    const input = ClientDepositInput.parse({ ...cash, ...body });
    return decideDeposit(actor, { ...input, client_id: 9 }, factsWith(given), AT);
  };
  const payout = { type: 'outcome' };
  const named = { hold_id: 50 };

  test.for<[string, object, Record<string, string>, Partial<DepositFacts>?]>([
    ['is taken in', {}, {}],
    ['is taken in for a hold', named, {}, { hold }],
    ['is paid out, all that the desk has', { ...payout, amount: 90 }, {}],
    ['of no client', {}, { 404: 'http.not_found' }, { sums: undefined, desk: undefined }],
    ['at no desk', {}, { cashbox_id: 'validation.not_found' }, { desk: undefined }],
    ['of more than the desk has', { ...payout, amount: 95 }, { amount: 'cashbox.not_enough_money' }],
    ['of more than the deposit', { ...payout, amount: 101 }, { amount: 'deposit.not_enough' }],
    [
      'of more than a deposit may be',
      {},
      { amount: 'balance.too_large' },
      { sums: { ...NO_BALANCES, deposit_uzs: MAX_AMOUNT } },
    ],
    ['for a hold, paid out', { ...payout, ...named }, { hold_id: 'deposit.hold_of_income' }, { hold }],
    ['for an unknown hold', named, { hold_id: 'validation.not_found' }],
    [
      'for a canceled hold',
      named,
      { hold_id: 'hold.not_in_progress' },
      { hold: { ...hold, status: 'canceled' } },
    ],
    [
      'for a hold of another client',
      named,
      { hold_id: 'deposit.hold_of_other_client' },
      { hold: { ...hold, client_id: 8 } },
    ],
    [
      'for a hold in another currency',
      named,
      { hold_id: 'sale.other_currency' },
      { hold: { ...hold, currency: 'usd' } },
    ],
    [
      'at no desk, of more than the deposit, and paid out for a hold: all at once',
      { ...payout, ...named },
      {
        ...{ cashbox_id: 'validation.not_found', amount: 'deposit.not_enough' },
        hold_id: 'deposit.hold_of_income',
      },
      nothing,
    ],
  ])('%s (Part 5, 5A.6)', ([_, body, codes, given]) => {
    expect(codesOfRefusal(() => decide(body, given))).toEqual(codes);
  });

  test('is paid out at the desk of a deleted company, and not taken in there (Contract 9.83)', () => {
    const actor = { ...director, deletedBranches: [3] };
    const income = () =>
      decide({ amount: 1e9 }, { sums: { ...NO_BALANCES, deposit_uzs: MAX_AMOUNT } }, actor);
    expect(codesOfRefusal(income)).toEqual({ 400: 'auth.company_inactive' });
    expect(codesOfRefusal(() => decide(payout, {}, actor))).toEqual({});
  });

  test('has an entry and a posting that name each other, at the company of the desk (Part 5, 5A.6, 1)', () => {
    const { entry, posted } = decide({ ...payout, amount: 40, comment: 'back' });
    expect(entry).toMatchObject({
      ...{ id: 60, type: 'outcome', client_id: 9, company_id: 3, cashbox_id: 2, transfer_id: 70 },
      ...{ amount: -4000, balance_after: 6000, source_id: null, comment: 'back', created_at: AT },
    });
    expect(posted.postings).toMatchObject([
      { id: 70, type: 'outcome', amount: 4000, source_type: 'deposit', source_id: 60, comment: 'back' },
    ]);
    expect(posted.money.cash_uzs).toBe(5000);
  });

  test('for a hold grows the deposit of that hold; each item is written once (Part 5, 5A.6, 4)', () => {
    const plan = decide(named, { hold });
    expect(plan.entry).toMatchObject({ hold_id: 50, amount: 5000, balance_after: 15_000 });
    const keys = keysOf(depositMoveWrites(TENANT, plan));
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.length).toBeGreaterThan(depositMoveWrites(TENANT, decide({})).length);
  });
});

describe('a correction of a deposit', () => {
  const decide = (amount: number, sums: DepositFacts['sums'] = factsWith().sums) => {
    const input = DepositCorrectionInput.parse({ currency: 'uzs', amount, comment: 'recount' });
    return decideDepositCorrection(director, { ...input, client_id: 9 }, { entryId: 60, sums }, AT);
  };

  test.for<[string, number, Record<string, string>, DepositFacts['sums']?]>([
    ['to nothing', -100, {}],
    ['to less than nothing', -100.01, { amount: 'deposit.not_enough' }],
    [
      'to more than a deposit may be',
      0.01,
      { amount: 'balance.too_large' },
      { ...NO_BALANCES, deposit_uzs: MAX_AMOUNT },
    ],
  ])('%s (Part 5, 5A.6)', ([_, amount, codes, sums]) => {
    expect(codesOfRefusal(() => decide(amount, sums))).toEqual(codes);
  });

  test('of no client is a 404 (Part 5, 5A.6)', () => {
    const input = {
      ...DepositCorrectionInput.parse({ currency: 'uzs', amount: 1, comment: 'a' }),
      client_id: 9,
    };
    const facts = { entryId: 60, sums: undefined };
    const codes = codesOfRefusal(() => decideDepositCorrection(director, input, facts, AT));
    expect(codes).toEqual({ 404: 'http.not_found' });
  });

  test('is an entry of the caller’s company, without a desk and a posting (Part 5, 5A.6)', () => {
    const plan = decide(-30);
    expect(plan.entry).toMatchObject({
      ...{ id: 60, type: 'correction', company_id: 1, cashbox_id: null, transfer_id: null },
      ...{ amount: -3000, balance_after: 7000, comment: 'recount' },
    });
    const keys = keysOf(depositWrites(TENANT, plan));
    expect(new Set(keys).size).toBe(keys.length);
  });
});

test('a payout needs its right (Part 5, 5A.6)', () => {
  const cashier = { ...director, type: 'employee' } as const;
  const payer = { ...cashier, rights: ['company.client.client.deposit-payout'] };
  expect([director, payer, cashier].map(mayPayOut)).toEqual([true, true, false]);
  expect(codesOfRefusal(() => requirePayoutRight(payer))).toEqual({});
  expect(codesOfRefusal(() => requirePayoutRight(cashier))).toEqual({ 403: 'auth.forbidden' });
});
