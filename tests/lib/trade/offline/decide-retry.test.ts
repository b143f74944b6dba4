import { describe, expect, test } from 'vitest';
import type { Staff } from '#lib/auth/actor.ts';
import { maySell } from '#lib/trade/offline/blocking.ts';
import { decideRetry, type RetryFacts } from '#lib/trade/offline/decide-retry.ts';
import { storeBody } from '#lib/trade/refused/body.ts';
import type { VersionedRefusedSale } from '#lib/trade/refused/record.ts';
import { codesOfRefusal } from '#tests/support/decisions.ts';
import { directorAs } from '#tests/support/family.ts';

/** Noon of the first of June in the service's time zone. */
const AT = Date.parse('2026-06-01T07:00:00Z');
const HOUR_MS = 3_600_000;
const director = directorAs(1, 1);

/** Body sent by the till an hour ago. */
const body = {
  ...{ cashbox_id: 2, stock_id: 3, currency: 'uzs', key: 'till-1', sold_at: '2026-06-01 10:00:00' },
  products: [{ product_id: 1, sold_quantity: 1, price: 100 }],
  transactions: [{ payment_type: 'cash', amount: 100 }],
};
const { key: _, cashbox_id: __, sold_at: ___, ...changed } = { ...body, comment: 'Mended' };

const { bodies } = storeBody(director.tenant, { id: 4, bodies: [] }, body, AT - HOUR_MS);

const refused: VersionedRefusedSale = {
  ...{ id: 4, key: 'till-1', cashbox_id: 2, creator_id: 7, sent_by: 7, retried_by: null },
  ...{ sold_at: AT - 2 * HOUR_MS, happened_at: null, amount: 10_000, code: 'validation.in_past', values: {} },
  ...{ errors: null, attempts: 1, status: 'waiting', comment: null, sale_id: null, bodies },
  ...{ created_at: AT - HOUR_MS, updated_at: AT - HOUR_MS, version: 1 },
};

const facts: RetryFacts = { refused, bodies: new Map([[1, body]]) };

const helper: Staff = { ...director, type: 'employee', rights: ['company.trade.sale.refused.retry'] };
const manager: Staff = { ...helper, rights: [...helper.rights, 'company.trade.sale.store'] };
/** A company that was blocked that many hours ago. */
const blocked = (hours: number): Staff => ({ ...director, blockAt: AT - hours * HOUR_MS });

describe('a retry of a refused sale', () => {
  test.for<[string, object | undefined, Record<string, string>, Staff?, RetryFacts?]>([
    ['of its newest body', undefined, {}],
    ['of its newest body, by who may only retry', undefined, {}, helper],
    ['of a changed body, by who may only retry', changed, { 403: 'auth.forbidden' }, helper],
    ['of a changed body, by who may sell, too', changed, {}, manager],
    ['of a changed body with its key, desk and time', body, {}],
    [
      'with another key, desk and time',
      { ...body, key: 'other', cashbox_id: 9, sold_at: null },
      {
        key: 'refused_sale.keeps_field',
        cashbox_id: 'refused_sale.keeps_field',
        sold_at: 'refused_sale.keeps_field',
      },
    ],
    [
      'with prices as sent, without the right',
      { accept_prices: true },
      { accept_prices: 'refused_sale.accept_forbidden' },
      manager,
    ],
    ['with prices as sent, with the right', { accept_prices: true }, {}],
    ['of a company that is blocked since', undefined, {}, blocked(1)],
    ['of what was sold after the blocking', undefined, { 400: 'auth.company_inactive' }, blocked(3)],
    [
      'of a deleted company',
      undefined,
      { 400: 'auth.company_inactive' },
      { ...director, isCompanyActive: false },
    ],
    [
      'of a blocked company, first sent after 72 hours',
      undefined,
      { 400: 'auth.company_inactive' },
      blocked(74),
      { ...facts, refused: { ...refused, sold_at: AT - 75 * HOUR_MS } },
    ],
    [
      'of a blocked company, with a body that came after 72 hours',
      { ...changed, sold_at: '2026-05-29 09:00:00' },
      { 400: 'auth.company_inactive' },
      blocked(74),
      { ...facts, refused: { ...refused, sold_at: AT - 75 * HOUR_MS, created_at: AT - 74 * HOUR_MS } },
    ],
  ])('%s (Part 4, 4.4, 5)', ([_, sent, codes, actor = director, given = facts]) => {
    expect(codesOfRefusal(() => decideRetry(actor, sent, given, AT))).toEqual(codes);
  });

  test('keeps its seller, unless the body names another (Contract 9.100)', () => {
    const sellerOf = (sent?: object) => decideRetry(director, sent, facts, AT).input.creator_id;
    expect([sellerOf(), sellerOf(changed), sellerOf({ ...changed, creator_id: 8 })]).toEqual([7, 7, 8]);
  });

  test('tells a changed body, and none of options alone (Part 4, 4.4, 5)', () => {
    expect(decideRetry(director, { as_of_now: true }, facts, AT)).toMatchObject({
      ...{ changed: undefined, isAsOfNow: true, areAccepted: false },
      input: { key: 'till-1', comment: null },
    });
    expect(decideRetry(director, changed, facts, AT)).toMatchObject({
      changed,
      input: { comment: 'Mended' },
    });
  });
});

test.for<[string, Pick<Staff, 'isCompanyActive' | 'blockAt'>, number | null, boolean]>([
  ['sells', director, null, true],
  ['will be blocked: sells', blocked(-1), null, true],
  ['is blocked: sells nothing now', blocked(1), null, false],
  ['is blocked: sends what was sold before', blocked(1), AT - 2 * HOUR_MS, true],
  ['is blocked: sends nothing that was sold after', blocked(2), AT - HOUR_MS, false],
  ['is blocked since 72 hours: sends what was sold before', blocked(72), AT - 73 * HOUR_MS, true],
  ['is blocked for longer: sends nothing', blocked(73), AT - 74 * HOUR_MS, false],
  ['is deleted: sends nothing', { ...director, isCompanyActive: false }, AT - HOUR_MS, false],
])('a company that %s (Part 4, 4.4, 4)', ([_, company, sold_at, is]) => {
  expect(maySell(company, { sold_at }, AT)).toBe(is);
});
