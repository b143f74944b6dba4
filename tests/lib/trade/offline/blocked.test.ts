import { expect, test } from 'vitest';
import type { Staff } from '#lib/auth/actor.ts';
import { SaleBatchInput, sellBatch } from '#lib/trade/offline/batch.ts';
import { retryRefusedSale } from '#lib/trade/offline/retry.ts';
import { ApiError } from '#lib/values/api-error.ts';
import { renderInstant } from '#lib/values/time.ts';
import { directorAs } from '#tests/support/family.ts';
import { offlineSaleBody } from '#tests/support/offline.ts';
import { nothing } from '#tests/support/save-response.ts';
import { newGoods, newShop } from '#tests/support/shop.ts';

const HOUR_MS = 3_600_000;

async function newScene(blockedHoursAgo: number) {
  const shop = await newShop();
  const product = await newGoods(shop, [{ quantity: 10, cost: 1 }]);
  const at = Date.now();
  const blockAt = at - blockedHoursAgo * HOUR_MS;
  const actor: Staff = { ...directorAs(shop.directorId, shop.companyId), blockAt };
  const sale = (key: string, hoursAgo: number) =>
    offlineSaleBody(shop, product, key, { sold_at: renderInstant(at - hoursAgo * HOUR_MS) });
  const sendIn = async (hours: number, ...entries: object[]) => {
    const input = SaleBatchInput.parse({ sales: entries });
    return (await sellBatch(actor, input, { at: at + hours * HOUR_MS, locale: 'ru' })).data;
  };
  const send = (...entries: object[]) => sendIn(0, ...entries);
  return { actor, at, sale, send, sendIn };
}

const BARRED = { status: 400, code: 'auth.company_inactive' };

test('of a blocked company what was sold before the blocking is taken, and what is later is kept', async () => {
  const { sale, send } = await newScene(10);
  expect(await send(sale('before', 11), sale('after', 9))).toMatchObject([
    { status: 200 },
    { ...BARRED, refused_id: expect.any(Number) },
  ]);
});

test('72 hours after the blocking it is accepted no more; an earlier sale is returned as ever', async () => {
  const early = await newScene(71);
  expect(await early.send(early.sale('before', 80))).toMatchObject([{ status: 200 }]);
  const offline = await newScene(73);
  expect(await offline.send(offline.sale('before', 80))).toMatchObject([
    { ...BARRED, refused_id: expect.any(Number) },
  ]);
});

test('a blocked company retries what its batch would take: sold before, first arrived in time, by a body that came by then (Part 4, 4.4 (5))', async () => {
  const { actor, at, sale, sendIn } = await newScene(10);
  const odd = { due_date: '2000-01-01' };
  const tryIn = (hours: number, id: number, sent?: object) => {
    const call = { at: at + hours * HOUR_MS, locale: 'ru', saveResponse: nothing } as const;
    return retryRefusedSale(actor, { id, sent }, call).then(
      ({ status }) => status,
      (error: unknown) => (error instanceof ApiError ? error.phrase.key : error),
    );
  };
  const keep = async (hours: number, entry: object) => (await sendIn(hours, entry))[0]?.refused_id ?? 0;
  const BARRED_KEY = 'auth.company_inactive';

  const after = await keep(0, sale('after', 9));
  expect(await tryIn(0, after)).toBe(BARRED_KEY);
  expect(await tryIn(0, after, sale('after', 9))).toBe(BARRED_KEY);

  const before = { ...sale('before', 11), ...odd };
  const kept = await keep(0, before);
  expect(await tryIn(61, kept)).toBe('validation.in_past');
  expect(await tryIn(63, kept, sale('before', 11))).toBe(BARRED_KEY);
  expect(await keep(63, { ...before, comment: 'Too late' })).toBe(kept);
  expect(await tryIn(64, kept)).toBe(BARRED_KEY);

  const mended = await keep(0, { ...sale('mended', 11), ...odd });
  expect(await tryIn(61, mended, sale('mended', 11))).toBe('sold');

  const offline = await keep(63, sale('late', 11));
  expect(await tryIn(64, offline)).toBe(BARRED_KEY);
});

test('a body of a retry within the 72 hours counts as come by then (Contract 9.145)', async () => {
  const { actor, at, sale, send } = await newScene(10);
  const [row] = await send({ ...sale('one', 11), due_date: '2000-01-01' });
  const id = row?.refused_id ?? 0;
  const tryIn = (hours: number, sent?: object) =>
    retryRefusedSale(actor, { id, sent }, { at: at + hours * HOUR_MS, locale: 'ru', saveResponse: nothing });
  const changed = { ...sale('one', 11), due_date: '2000-01-02' };
  await expect(tryIn(61, changed)).rejects.toMatchObject({ phrase: { key: 'validation.in_past' } });
  await expect(tryIn(63)).rejects.toMatchObject({ phrase: { key: 'validation.in_past' } });
});

test('the receipt that a sale lacks is added to it, however long ago its company was blocked', async () => {
  const { sale, send, sendIn } = await newScene(71);
  const sold = sale('before', 80);
  expect(await send(sold)).toMatchObject([{ status: 200, is_replayed: false }]);
  const fiscal = { terminal_id: 'T1', receipt_number: '17', fiscalized_at: '2026-11-23 10:00:00' };
  const withReceipt = { status: 200, is_replayed: true, sale: { fiscal: { receipt_number: '17' } } };
  expect(await sendIn(2, { ...sold, fiscal })).toMatchObject([withReceipt]);
  expect(await sendIn(3, sold)).toMatchObject([withReceipt]);
});
