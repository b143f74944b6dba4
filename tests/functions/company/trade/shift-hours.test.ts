import { describe, expect, test } from 'vitest';
import { deskMoneyKey } from '#lib/cash/desk/money.ts';
import { NO_SHIFTS, ShiftSettings } from '#lib/people/company/shift-settings.ts';
import { update } from '#lib/table/change/write.ts';
import { familyTenant, recordKey } from '#lib/table/keys.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { limitOf } from '#lib/trade/shift/decide-open.ts';
import { shifts } from '#lib/trade/shift/record.ts';
import { renderInstant, Timestamp } from '#lib/values/time.ts';
import { call } from '#tests/support/http.ts';
import { errorWith } from '#tests/support/records.ts';
import { back, linesOfSale, sendReturn } from '#tests/support/returns.ts';
import { beginShift, newShiftShop, SHIFTS, tryToClose } from '#tests/support/shifts.ts';
import { newGoods, type Shop, sellOne } from '#tests/support/shop.ts';

const hours = (working_hours_from: string, working_hours_to: string, given: object = {}) =>
  ShiftSettings.parse({
    ...NO_SHIFTS,
    ...{ is_enabled: true, is_working_hours_enabled: true, working_hours_from, working_hours_to },
    ...given,
  });

describe('a shift closes at the first end of the working hours after its opening (Contract 9.72)', () => {
  test.each([
    ['2026-11-21 08:15:00', hours('09:00', '18:00'), '2026-11-21 18:00:00'],
    ['2026-11-21 18:00:00', hours('09:00', '18:00'), '2026-11-22 18:00:00'],
    ['2026-11-21 17:59:59', hours('09:00', '18:00'), '2026-11-21 18:00:00'],
    // Over midnight: Contract 9.49.
    ['2026-11-21 20:00:00', hours('18:00', '02:00'), '2026-11-22 02:00:00'],
    ['2026-11-22 01:00:00', hours('18:00', '02:00'), '2026-11-22 02:00:00'],
    ['2026-12-31 09:00:00', hours('09:00', '09:00'), '2027-01-01 09:00:00'],
  ])('opened at %s', (opened, settings, closes) => {
    const { closes_at } = limitOf(settings, Timestamp.encode(opened));
    expect(closes_at === null ? null : renderInstant(closes_at)).toBe(closes);
  });

  test.each([
    ['without working hours', hours('09:00', '18:00', { is_working_hours_enabled: false })],
    ['round the clock', hours('09:00', '18:00', { is_round_the_clock: true })],
  ])('%s there is no limit', (_, settings) => {
    expect(limitOf(settings, Date.now())).toEqual({ closes_at: null, overdue_action: null });
  });
});

/** Opens a shift in a company with this rule, a minute after its working hours. */
async function newOverdue(overdue_action: 'remind' | 'block') {
  const given = { is_working_hours_enabled: true, working_hours_from: '09:00', working_hours_to: '18:00' };
  const shop = await newShiftShop({ ...given, overdue_action });
  const id = await newGoods(shop, [{ quantity: 10, cost: 1 }]);
  const shift = await beginShift(shop);
  const sale = await sellOne(shop, id, 1, 5000);
  expect(sale.status).toBe(200);
  await endHours(shop, shift);
  return { shop, id, shift, sale: sale.number('id') };
}

async function endHours({ companyId, cashboxId }: Shop, shift: number): Promise<void> {
  const tenant = familyTenant(companyId);
  const closes_at = Date.now() - 60_000;
  await transact([
    update(deskMoneyKey(tenant, cashboxId), { set: { 'shift.closes_at': closes_at } }),
    update(recordKey(shifts.type, tenant, shift), { set: { closes_at } }),
  ]);
}

test('an overdue shift that blocks refuses sales, and nothing else (Contract 9.49)', async () => {
  const { shop, id, shift, sale } = await newOverdue('block');
  const [line] = await linesOfSale(shop, sale);
  expect(await sellOne(shop, id, 1, 5000)).toMatchObject(errorWith('shift.overdue'));
  expect((await sendReturn(shop, sale, back({ [line?.id ?? 0]: 1 }, 5000))).status).toBe(200);
  expect((await tryToClose(shop, shift)).status).toBe(200);
});

test('an overdue shift that reminds goes on, and tells how late it is (Contract 9.49)', async () => {
  const { shop, id, shift } = await newOverdue('remind');
  expect((await sellOne(shop, id, 1, 5000)).status).toBe(200);
  const { body } = await call(`GET ${SHIFTS}/current`, { token: shop.director });
  expect(body).toMatchObject({ data: { id: shift, overdue_action: 'remind' } });
  const { closes_in } = Object(body).data;
  expect(closes_in).toBeLessThanOrEqual(-60);
  expect(closes_in).toBeGreaterThan(-120);
});
