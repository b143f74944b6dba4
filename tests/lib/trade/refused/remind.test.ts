import { expect, test } from 'vitest';
import { SaleBatchInput, sellBatch } from '#lib/trade/offline/batch.ts';
import { dismiss } from '#lib/trade/refused/refused.ts';
import { remindAll } from '#lib/trade/refused/remind.ts';
import { translateLabel } from '#lib/values/labels/label.ts';
import { dayOf, daysAfter, startOfDay } from '#lib/values/time.ts';
import { directorAs, newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { offlineSaleBody } from '#tests/support/offline.ts';
import { nothing } from '#tests/support/save-response.ts';
import { newGoods, newShop } from '#tests/support/shop.ts';

const HOUR_MS = 3_600_000;

test('the directors are notified each morning at nine, once, while any refused sale waits', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, [{ quantity: 1, cost: 1 }]);
  const actor = directorAs(shop.directorId, shop.companyId);
  const cashier = await newEmployee(shop, []);
  const odd = offlineSaleBody(shop, product, 'till-1', { due_date: '2000-01-01' });
  const input = SaleBatchInput.parse({ sales: [odd] });
  const { data } = await sellBatch(actor, input, { at: Date.now(), locale: 'ru' });
  const nine = (days: number) => startOfDay(daysAfter(dayOf(Date.now()), days)) + 9 * HOUR_MS;
  const toldTo = async (token: string) => {
    const { body } = await call('GET /common/user/notification', { token });
    return Object(body).data.map(({ text }: { text: string }) => text);
  };
  const text = translateLabel('ru', { key: 'refused_sales.waiting', with: { count: 1 } });

  await Promise.all([remindAll(nine(1)), remindAll(nine(1))]);
  await remindAll(nine(1) + 14 * HOUR_MS);
  expect(await toldTo(shop.director)).toEqual([text]);
  await remindAll(nine(2));
  expect(await toldTo(shop.director)).toEqual([text, text]);
  await dismiss(
    actor,
    { id: data[0]?.refused_id ?? 0, comment: 'No' },
    { at: Date.now(), locale: 'ru', saveResponse: nothing },
  );
  await remindAll(nine(3));
  expect(await toldTo(shop.director)).toEqual([text, text]);
  expect(await toldTo(cashier)).toEqual([]);
});
