import { describe, expect, test } from 'vitest';
import { NO_MONEY } from '#lib/cash/desk/money.ts';
import type { OpenShift } from '#lib/cash/desk/open-shift.ts';
import {
  type ClosingFacts,
  decideClosing,
  decideCount,
  shiftClosingWrites,
} from '#lib/trade/shift/decide-close.ts';
import { ClosingInput, currentKey } from '#lib/trade/shift/record.ts';
import {
  AT,
  codesOfRefusal,
  director,
  OPEN_SHIFT,
  STORED_DOCUMENT,
  TENANT,
} from '#tests/support/decisions.ts';

/** A shift that began with 60.00 in cash, and has sold for 30.00 in cash and 20.00 by card. */
const running: OpenShift = {
  ...OPEN_SHIFT,
  opening_balance: { cash_uzs: 6000 },
  tallies: { 'sale income cash_uzs': [1, 3000], 'sale income card_uzs': [1, 2000] },
};
const money = { ...NO_MONEY, cash_uzs: 9000, card_uzs: 2000, shift: running };

/** Shift 7 of cashier 5. */
const before: ClosingFacts['before'] = {
  ...{ ...STORED_DOCUMENT, id: 7, creator_id: 5, cashbox_id: 2, stock_id: 4, status: 'open' },
  ...{ opening_balances: [], opening_amount: 0, opening_currency: 'uzs', opening_comment: null },
  ...{ closed_by_id: null, collection_id: null, closing_action: null, closing_comment: null },
  ...{ summary: null, opened_at: 0, closes_at: null, closed_at: null, overdue_action: null },
};

const counting = (body: object) => ClosingInput.parse({ closing_action: 'keep', ...body });
const found = (amount: number, payment_type = 'cash') => ({ payment_type, currency: 'uzs', amount });
const leaving = (amount: number) => ({
  ...{ closing_action: 'transfer_part' },
  leave_amounts: [{ currency: 'uzs', amount }],
});

describe('a cash count', () => {
  const decide = (body: object) => decideCount(before, running, counting(body));

  test.for<[string, object, Record<string, string>]>([
    ['of nothing: all is as expected', {}, {}],
    ['as expected', { actuals: [found(90), found(20, 'card')] }, {}],
    ['with a difference', { actuals: [found(89)] }, { closing_comment: 'shift.comment_required' }],
    ['with a difference and a comment', { actuals: [found(89)], closing_comment: 'lost' }, {}],
    [
      'below zero: the comment is not checked',
      { actuals: [found(-1)] },
      { 'actuals.0.amount': 'shift.negative_count' },
    ],
    ['that leaves all of the cash', leaving(90), {}],
    ['that leaves more', leaving(90.01), { 'leave_amounts.0.amount': 'shift.leaves_too_much' }],
    [
      'that leaves more than was counted, and differs: both',
      { ...leaving(90), actuals: [found(89)] },
      { 'leave_amounts.0.amount': 'shift.leaves_too_much', closing_comment: 'shift.comment_required' },
    ],
  ])('%s (Contract 9.47)', ([_, body, codes]) => {
    expect(codesOfRefusal(() => decide(body))).toEqual(codes);
  });

  test('posts what is missing and what is too much, and collects what is not left (Contract 9.47)', () => {
    const actuals = [found(85), found(21, 'card')];
    const { differences, collected } = decide({ ...leaving(15), actuals, closing_comment: 'a' });
    expect(differences).toEqual([
      { type: 'outcome', payment_type: 'cash', currency: 'uzs', amount: 500 },
      { type: 'income', payment_type: 'card', currency: 'uzs', amount: 100 },
    ]);
    expect(collected).toEqual([
      { payment_type: 'cash', currency: 'uzs', amount: 7000 },
      { payment_type: 'card', currency: 'uzs', amount: 2100 },
    ]);
  });

  test('of a shift whose money is kept collects nothing (Contract 9.47)', () => {
    expect(decide({})).toMatchObject({ differences: [], collected: [] });
  });
});

describe('a closing', () => {
  const decide = (body: object, given: Partial<ClosingFacts> = {}) => {
    const input = counting(body);
    const count = decideCount(before, running, input);
    const desk = { id: 2, company_id: 1, money };
    const facts = { ids: { posting: 60, collection: 80 }, before, desk, main: { id: 9 }, count, ...given };
    return decideClosing(director, input, facts, AT);
  };
  const all = { closing_action: 'transfer_all' };

  test.for<[string, object, Record<string, string>]>([
    ['keeps its money', {}, {}],
    [
      'leaves all of its cash, and nothing else is there',
      { ...leaving(90), actuals: [found(0, 'card')] },
      {},
    ],
    ['has money for the main desk', all, { 400: 'collection.no_main_cashbox' }],
  ])('of a company without a main desk %s (Contract 9.48)', ([_, body, codes]) => {
    const comment = { closing_comment: 'a' };
    expect(codesOfRefusal(() => decide({ ...comment, ...body }, { main: undefined }))).toEqual(codes);
  });

  test('freezes the sums of the shift, the differences among them, and ends it (Contract 9.51)', () => {
    const { after, posted, collection } = decide({ actuals: [found(85)], closing_comment: 'lost' });
    expect(after).toMatchObject({
      ...{ id: 7, creator_id: 5, status: 'closed', closed_by_id: 1, closed_at: AT, updated_at: AT },
      ...{ closing_action: 'keep', closing_comment: 'lost', collection_id: null },
    });
    expect(after.summary.rows).toMatchObject([
      { payment_type: 'cash', expected: 9000, actual: 8500, difference: -500, left: 8500 },
      { payment_type: 'card', expected: 2000, actual: 2000, difference: 0, left: 2000 },
    ]);
    expect(after.summary.transactions).toContainEqual({
      ...{ source_type: 'shift', payment_type: 'cash', currency: 'uzs', type: 'outcome' },
      ...{ count: 1, amount: 500 },
    });
    expect(posted.postings).toMatchObject([
      {
        id: 60,
        type: 'outcome',
        amount: 500,
        source_type: 'shift',
        source_id: 7,
        shift_id: 7,
        comment: 'lost',
      },
    ]);
    expect(posted.money).toMatchObject({ cash_uzs: 8500, card_uzs: 2000, shift: null });
    expect(collection).toBeUndefined();
  });

  test('collects for the main desk what is left after the differences, in the shift (Contract 9.48)', () => {
    const { after, posted, collection } = decide({ ...all, actuals: [found(85)], closing_comment: 'lost' });
    expect(collection).toMatchObject({
      ...{ id: 80, main_cashbox_id: 9, creator_id: 5, status: 'on_hold', cashbox_id: 2 },
      items: [
        { payment_type: 'cash', amount: 8500 },
        { payment_type: 'card', amount: 2000 },
      ],
      posting_ids: [61, 62],
    });
    expect(posted.postings.map(({ id, shift_id }) => [id, shift_id])).toEqual([
      [60, 7],
      [61, 7],
      [62, 7],
    ]);
    const on_hold = { cash_uzs: 8500, card_uzs: 2000 };
    expect(posted.money).toMatchObject({ cash_uzs: 0, card_uzs: 0, shift: null, on_hold });
    expect(after.collection_id).toBe(80);
    expect(after.summary.transactions.map(({ source_type, amount }) => [source_type, amount])).toEqual(
      expect.arrayContaining([
        ['collection', 8500],
        ['collection', 2000],
      ]),
    );
  });

  test('writes each item once: shift, desk, postings, collection and the cashier’s claim (Contract 9.46)', () => {
    const plan = decide({ ...all, actuals: [found(85)], closing_comment: 'lost' });
    const writes = shiftClosingWrites(TENANT, plan);
    const keys = writes.map(({ key: { pk, sk } }) => `${pk} ${sk}`);
    expect(writes.map(({ key }) => key)).toContainEqual(currentKey({ tenant: TENANT, id: 5 }));
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.length).toBeGreaterThanOrEqual(1 + 1 + 3 + 1 + 1);
  });
});
