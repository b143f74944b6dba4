import { describe, expect, test } from 'vitest';
import { type DeskMoney, NO_MONEY } from '#lib/cash/desk/money.ts';
import { NO_SHIFTS } from '#lib/people/company/shift-settings.ts';
import {
  decideOpening,
  type OpeningFacts,
  requireShiftPlace,
  shiftOpeningWrites,
} from '#lib/trade/shift/decide-open.ts';
import { OpeningInput } from '#lib/trade/shift/record.ts';
import { MAX_AMOUNT } from '#lib/values/money.ts';
import { AT, codesOfRefusal, director, OPEN_SHIFT } from '#tests/support/decisions.ts';

/** The desk of company 3 has 90.00 in cash. */
const money = { ...NO_MONEY, cash_uzs: 9000 };
const desk = { id: 2, company_id: 3, type: 'sale', money } as const;
const settings = { ...NO_SHIFTS, is_enabled: true };

const bringing = (...opening_balances: readonly object[]) =>
  OpeningInput.parse({ cashbox_id: 2, stock_id: 4, opening_comment: 'change', opening_balances });
const cash = { payment_type: 'cash', currency: 'uzs', amount: 50 };

describe('the place of a shift', () => {
  type Place = Parameters<typeof requireShiftPlace>[2];
  const place: Place = { desk, warehouse: { company_id: 3 } };

  test.for<[string, Partial<Place>, Record<string, string>]>([
    ['a sale desk and a warehouse of one company', {}, {}],
    ['a main desk', { desk: { ...desk, type: 'main' } }, { cashbox_id: 'sale.cashbox_not_for_sales' }],
    ['a warehouse of another company', { warehouse: { company_id: 1 } }, { stock_id: 'sale.other_company' }],
    [
      'a main desk and a warehouse of another company: both',
      { desk: { ...desk, type: 'main' }, warehouse: { company_id: 1 } },
      { cashbox_id: 'sale.cashbox_not_for_sales', stock_id: 'sale.other_company' },
    ],
    [
      'neither: both at once',
      { desk: undefined, warehouse: undefined },
      { cashbox_id: 'validation.not_found', stock_id: 'validation.not_found' },
    ],
    [
      'no desk: the company of the warehouse is not checked',
      { desk: undefined, warehouse: { company_id: 1 } },
      { cashbox_id: 'validation.not_found' },
    ],
  ])('is %s (Part 3, "Cash shifts")', ([_, given, codes]) => {
    const require = () => requireShiftPlace(director, bringing(), { ...place, ...given });
    expect(codesOfRefusal(require)).toEqual(codes);
  });

  test('of a deleted company takes no change; without it, it opens to be emptied (Contract 9.83)', () => {
    const actor = { ...director, deletedBranches: [3] };
    const require = (input: OpeningInput) => codesOfRefusal(() => requireShiftPlace(actor, input, place));
    expect(require(bringing(cash))).toEqual({ 400: 'auth.company_inactive' });
    expect(require(bringing({ ...cash, amount: 0 }))).toEqual({});
    expect(require(bringing())).toEqual({});
  });
});

describe('an opening of a shift', () => {
  const decide = (input: OpeningInput, given: Partial<OpeningFacts> = {}) => {
    const facts = { ids: { shift: 50, posting: 60 }, desk, settings, saleCurrency: 'uzs' as const, ...given };
    return decideOpening(director, input, facts, AT);
  };
  const deskWith = (given: Partial<DeskMoney>) => ({ desk: { ...desk, money: { ...money, ...given } } });

  test.for<[string, OpeningInput, Record<string, string>, Partial<OpeningFacts>?]>([
    ['with change', bringing(cash), {}],
    ['of a company without shifts', bringing(), { 400: 'shift.not_enabled' }, { settings: NO_SHIFTS }],
    ['at a desk with one open', bringing(), { 400: 'shift.desk_taken' }, deskWith({ shift: OPEN_SHIFT })],
    [
      'of a company without shifts, at a desk with one open: first of the company',
      bringing(),
      { 400: 'shift.not_enabled' },
      { settings: NO_SHIFTS, ...deskWith({ shift: OPEN_SHIFT }) },
    ],
    [
      'with change for which the desk has no room',
      bringing({ ...cash, payment_type: 'card' }, cash),
      { 'opening_balances.1.amount': 'balance.too_large' },
      deskWith({ cash_uzs: MAX_AMOUNT }),
    ],
  ])('%s (Contract 9.44)', ([_, input, codes, given]) => {
    expect(codesOfRefusal(() => decide(input, given))).toEqual(codes);
  });

  test('begins with the money of the desk; change is its first income (Contract 9.45)', () => {
    const { shift, posted } = decide(bringing({ ...cash, currency: 'usd', amount: 0 }, cash));
    expect(shift).toMatchObject({
      ...{ id: 50, creator_id: 1, company_id: 3, cashbox_id: 2, stock_id: 4, status: 'open' },
      ...{ opening_amount: 5000, opening_currency: 'uzs', opening_comment: 'change' },
      ...{ summary: null, collection_id: null, closed_at: null, opened_at: AT },
    });
    expect(posted.postings).toMatchObject([
      { id: 60, type: 'income', amount: 5000, source_type: 'shift', source_id: 50, shift_id: 50 },
    ]);
    expect(posted.money).toMatchObject({
      cash_uzs: 14_000,
      shift: { id: 50, opening_balance: { cash_uzs: 9000 }, tallies: { 'shift income cash_uzs': [1, 5000] } },
    });
  });

  test('without cash in the sale currency has an opening amount of zero (Contract 9.62)', () => {
    const input = bringing({ ...cash, currency: 'usd' }, { ...cash, payment_type: 'card' });
    const { shift, posted } = decide(input);
    expect(shift).toMatchObject({ opening_amount: 0, opening_currency: 'uzs' });
    expect(posted.postings.map(({ id }) => id)).toEqual([60, 61]);
    expect(decide(input, { saleCurrency: 'usd' }).shift).toMatchObject({ opening_amount: 5000 });
  });

  test('in a company with working hours has their end, in the desk’s money too (Contract 9.49)', () => {
    const hours = { is_working_hours_enabled: true, working_hours_from: '09:00', working_hours_to: '18:00' };
    const { shift, posted } = decide(bringing(), { settings: { ...settings, ...hours } });
    const limit = { closes_at: Date.parse('2026-06-01T18:00:00+05:00'), overdue_action: 'remind' };
    expect(shift).toMatchObject(limit);
    expect(posted.money.shift).toMatchObject(limit);
  });

  test('writes each item once: the shift, the desk and the caller’s claim (Contract 9.46)', () => {
    const keys = shiftOpeningWrites(director, decide(bringing(cash))).map(
      ({ key: { pk, sk } }) => `${pk} ${sk}`,
    );
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.length).toBeGreaterThanOrEqual(4);
  });
});
