import { expect, test } from 'vitest';
import type { Write } from '#lib/table/change/write.ts';
import { payDebts } from '#lib/trade/debt-payment/pay.ts';
import { DebtPaymentList, get, list } from '#lib/trade/debt-payment/read.ts';
import { DebtPaymentInput } from '#lib/trade/debt-payment/record.ts';
import { refund } from '#lib/trade/debt-payment/refund.ts';
import { translate } from '#lib/values/message.ts';
import { endOfDay } from '#lib/values/time.ts';
import { addClient } from '#tests/support/clients.ts';
import { lend, newWater, paying } from '#tests/support/debts.ts';
import { directorAs } from '#tests/support/family.ts';
import { newShop } from '#tests/support/shop.ts';

const nothing = (): Write[] => [];

/** The end of a day in the time zone of the service, which no place of the test's machine shares. */
const MIDNIGHT = endOfDay('2031-05-10');

async function newDebtor() {
  const shop = await newShop();
  const [client, water] = await Promise.all([addClient(shop), newWater(shop)]);
  await lend(shop, { client, water, amount: 1000 });
  const actor = directorAs(shop.directorId, shop.companyId);
  const pay = async (amount: number, at: number) => {
    const body = DebtPaymentInput.parse(paying(shop, client, { cash: amount }));
    const { data } = await payDebts(actor, body, at, nothing);
    return data[0]?.id ?? 0;
  };
  const refundable = async (at: number) => {
    const { rows } = await list(actor, DebtPaymentList.parse({ sort: ['id'] }), at);
    const single = await Promise.all(rows.map(({ id }) => get(actor, id, [], at)));
    expect(single.map(({ is_refundable }) => is_refundable)).toEqual(
      rows.map(({ is_refundable }) => is_refundable),
    );
    return rows.filter(({ is_refundable }) => is_refundable).map(({ id }) => id);
  };
  return { actor, pay, refundable, takeBack: (id: number, at: number) => refund(actor, id, at, nothing) };
}

test('only payments of the last day of payments are refundable, by the day in TIME_ZONE (Contract 9.53)', async () => {
  const { pay, refundable, takeBack } = await newDebtor();
  const offline = await pay(10, MIDNIGHT - 1000);
  expect(await refundable(MIDNIGHT)).toEqual([offline]);
  const early = await pay(20, MIDNIGHT);
  const second = await pay(30, MIDNIGHT + 3_600_000);
  expect(await refundable(MIDNIGHT + 9e9)).toEqual([early, second]);
  await expect(takeBack(offline, MIDNIGHT + 7_200_000)).rejects.toMatchObject({
    status: 400,
    phrase: { key: 'debt_payment.not_refundable' },
  });
  expect(translate('ru', { key: 'debt_payment.not_refundable' })).toContain('последнего дня');
});

test('the last day is that of the newest payment, refunded or not (Contract 9.53)', async () => {
  const { pay, refundable, takeBack } = await newDebtor();
  const before = await pay(10, MIDNIGHT - 1000);
  const newest = await pay(20, MIDNIGHT);
  expect(await takeBack(newest, MIDNIGHT + 1000)).toMatchObject({ is_refunded: true, is_refundable: false });
  expect(await refundable(MIDNIGHT + 1000)).toEqual([]);
  await expect(takeBack(before, MIDNIGHT + 1000)).rejects.toMatchObject({ status: 400 });
});

test('a payment can be refunded days later, as long as no other followed it', async () => {
  const { pay, takeBack } = await newDebtor();
  const id = await pay(10, MIDNIGHT);
  expect(await takeBack(id, MIDNIGHT + 5 * 86_400_000)).toMatchObject({ is_refunded: true });
});
