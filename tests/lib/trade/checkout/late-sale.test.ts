import { describe, expect, test } from 'vitest';
import type { Staff } from '#lib/auth/actor.ts';
import { checkSoldAt } from '#lib/trade/checkout/offline.ts';
import { issueOfHold } from '#lib/trade/checkout/redeem-hold.ts';
import { checkSeller } from '#lib/trade/checkout/seller.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { codesOfRefusal } from '#tests/support/decisions.ts';
import { directorAs } from '#tests/support/family.ts';
import { newSaleContextOf } from '#tests/support/sale-contexts.ts';

/** Noon of the first of June in the service's time zone. */
const AT = Date.parse('2026-06-01T07:00:00Z');
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const director = directorAs(1, 1);
const cashier: Staff = { ...director, type: 'employee', id: 2, rights: ['company.trade.sale.store'] };

function codesOf(check: (issues: ValidationIssues) => void): Record<string, string> {
  return codesOfRefusal(() => {
    const issues = new ValidationIssues();
    check(issues);
    issues.throwIfAny();
  });
}

type Occasion = Parameters<typeof checkSoldAt>[2];

describe('the time of a late sale', () => {
  const ago = (sold: number | null, known: number | null = null) => ({
    sold_at: sold === null ? null : AT - sold,
    known_at: known === null ? null : AT - known,
  });
  const withSettings = (saleSettings: NonNullable<Staff['saleSettings']>) => ({ ...director, saleSettings });
  const late: Staff = { ...cashier, rights: [...cashier.rights, 'company.trade.sale.late'] };

  test.for<[string, ReturnType<typeof ago>, Record<string, string>, Staff?, Partial<Occasion>?]>([
    ['none: it is sold now', ago(null), {}],
    ['31 days ago', ago(31 * DAY_MS), {}],
    ['more than 31 days ago', ago(31 * DAY_MS + 1), { sold_at: 'sale.sold_at' }],
    [
      '31 days before its first arrival',
      ago(40 * DAY_MS),
      {},
      director,
      { arrived_at: AT - 9 * DAY_MS, isRetry: true },
    ],
    ['five minutes ahead', ago(-5 * MINUTE_MS), {}],
    ['more than five minutes ahead', ago(-5 * MINUTE_MS - 1), { sold_at: 'sale.sold_at' }],
    ['on the last of late_sale_days', ago(DAY_MS), {}, withSettings({ late_sale_days: 1 })],
    [
      'before late_sale_days',
      ago(2 * DAY_MS),
      { sold_at: 'sale.sold_at' },
      withSettings({ late_sale_days: 1 }),
    ],
    [
      'by late_sale_days of its first arrival',
      ago(3 * DAY_MS),
      {},
      withSettings({ late_sale_days: 1 }),
      { arrived_at: AT - 2 * DAY_MS },
    ],
    ['today with no late_sale_days', ago(11 * MINUTE_MS), {}, withSettings({ late_sale_days: 0 })],
    ['after the books were closed', ago(DAY_MS), {}, withSettings({ books_closed_on: '2026-05-30' })],
    [
      'on the day until which the books are closed',
      ago(DAY_MS),
      { sold_at: 'sale.books_closed' },
      withSettings({ books_closed_on: '2026-05-31' }),
    ],
    ['10 minutes late, without the right', ago(10 * MINUTE_MS), {}, cashier],
    [
      'more than 10 minutes late, without the right',
      ago(11 * MINUTE_MS),
      { sold_at: 'sale.late_forbidden' },
      cashier,
    ],
    ['more than 10 minutes late, with the right', ago(11 * MINUTE_MS), {}, late],
    ['of a retry, which needs no right to be late', ago(DAY_MS), {}, cashier, { isRetry: true }],
    [
      'of any age, if it is made as of now',
      ago(40 * DAY_MS),
      {},
      withSettings({ late_sale_days: 0, books_closed_on: '2026-05-31' }),
      { isAsOfNow: true, isRetry: true },
    ],
    ['with a copy of before', ago(MINUTE_MS, 30 * DAY_MS), {}],
    ['with a copy of after it', ago(MINUTE_MS, 0), { known_at: 'sale.known_at' }],
    ['with a copy older than 31 days', ago(MINUTE_MS, 31 * DAY_MS + 1), { known_at: 'sale.known_at' }],
    [
      'with a copy older than 31 days, as of now',
      ago(MINUTE_MS, 31 * DAY_MS + 1),
      { known_at: 'sale.known_at' },
      director,
      { isAsOfNow: true },
    ],
    ['none, with a copy', ago(null, MINUTE_MS), { known_at: 'sale.known_not_late' }],
  ])('%s (Part 4, 4.4, 2; Part 4, 4.4, 3)', ([_, times, codes, actor = director, occasion = {}]) => {
    expect(codesOf((issues) => checkSoldAt(actor, times, { at: AT, ...occasion }, issues))).toEqual(codes);
  });
});

describe('the seller of a late sale', () => {
  const { desk } = newSaleContextOf();
  const by = (creator_id: number | null, sold_at: number | null = AT - DAY_MS) => ({ creator_id, sold_at });
  const named = { ...directorAs(3, 1), id: 3 };
  const teller: Staff = { ...cashier, rights: [...cashier.rights, 'company.trade.sale.creator'] };
  const absent = { seller: undefined };

  test.for<
    [
      string,
      ReturnType<typeof by>,
      Record<string, string>,
      Staff?,
      { seller?: Staff | undefined; kept?: number }?,
    ]
  >([
    ['the sender, if none is named', by(null), {}, cashier],
    ['who is named, with the right to name', by(3), {}, teller],
    ['who is named, without it', by(3), { creator_id: 'sale.creator_forbidden' }, cashier],
    ['the sender by name, without the right to name', by(2), {}, cashier, { seller: cashier }],
    ['of a sale that is not late', by(3, null), { creator_id: 'sale.creator_not_late' }],
    ['a user who does not exist', by(3), { creator_id: 'validation.not_found' }, director, absent],
    [
      'a user who may not sell',
      by(3),
      { creator_id: 'validation.not_found' },
      director,
      { seller: { ...cashier, id: 3, rights: [] } },
    ],
    [
      'a user to whom the desk is not open',
      by(3),
      { creator_id: 'validation.not_found' },
      director,
      { seller: { ...cashier, id: 3, cashDesks: [9] } },
    ],
    ['who stays in a retry, though gone, without the right', by(3), {}, cashier, { ...absent, kept: 3 }],
  ])('%s (Part 4, 4.4, 2)', ([_, body, codes, actor = director, facts]) => {
    const known = { seller: named, kept: undefined, ...facts };
    expect(codesOf((issues) => checkSeller(actor, body, { ...known, desk }, issues))).toEqual(codes);
  });

  test('is the maker of the sale, and the sender without a name (Part 4, 4.4, 2)', () => {
    const facts = { seller: named, desk, kept: undefined };
    const maker = (creator_id: number | null) =>
      checkSeller(teller, by(creator_id), facts, new ValidationIssues()).creator_id;
    expect([maker(3), maker(null)]).toEqual([3, 2]);
  });
});

test.for([
  ['one in progress', { status: 'in_progress', stock_id: 3 }, undefined],
  ['one of another warehouse', { status: 'in_progress', stock_id: 4 }, 'hold.other_place'],
  ['a canceled one', { status: 'canceled', stock_id: 3 }, 'hold.not_in_progress'],
  ['one that is sold', { status: 'completed', stock_id: 3 }, 'hold.not_in_progress'],
  ['none', undefined, 'validation.not_found'],
] as const)('the hold of a sale: %s (Contract 9.1)', ([_, hold, issue]) => {
  expect(issueOfHold(hold, 3)).toBe(issue);
});
