import { expect, test } from 'vitest';
import { familyTenant } from '#lib/table/keys.ts';
import { newFamily } from '#tests/support/family.ts';
import { untilFed, wholeActivity, wholeFeed } from '#tests/support/followed.ts';
import { call } from '#tests/support/http.ts';
import { MAX_WAIT_MS } from '#tests/support/patience.ts';
import { idsOf, make } from '#tests/support/records.ts';
import { newGoods, newShop, sellOne } from '#tests/support/shop.ts';
import { STOCK_LEVELS } from '#tests/support/stock.ts';

const BRANDS = '/company/product/brand';

test('a record that is made, changed, deleted and restored is in the feed each time', async () => {
  const { director: token, companyId, directorId } = await newFamily();
  const tenant = familyTenant(companyId);
  const id = await make(BRANDS, token, { name: 'Artel', image_old_keys: '[]' });
  await untilFed(tenant, 'product.brand', id);
  expect(await wholeFeed(tenant)).toContainEqual(['product.brand', id, companyId, null, null]);
  await call(`PUT ${BRANDS}/${id}`, { token, json: { name: 'Samo', image_old_keys: '[]' } });
  await untilFed(tenant, 'product.brand', id, 2);
  await call(`DELETE ${BRANDS}/${id}`, { token });
  await call(`DELETE ${BRANDS}/${id}/restore`, { token });
  await expect
    .poll(async () => (await wholeActivity(tenant)).filter(({ type }) => type === 'product.brand'), {
      timeout: MAX_WAIT_MS,
    })
    .toMatchObject([
      { action: 'created', record_id: id, revision: 1, creator_id: directorId, company_id: companyId },
      { action: 'changed', record_id: id, revision: 2 },
      { action: 'deleted', record_id: id, revision: 3 },
      { action: 'restored', record_id: id, revision: 4 },
    ]);
});

test('a sale tells of itself, its goods, its money and the movement of that', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, [{ quantity: 5, cost: 100 }]);
  const tenant = familyTenant(shop.companyId);
  const [balance = 0] = await idsOf(STOCK_LEVELS, shop.director);
  await untilFed(tenant, 'stock.product', balance);
  const before = (await wholeFeed(tenant)).length;
  const sale = (await sellOne(shop, product, 1, 5000)).number('id');
  const desk = `cashbox.cashbox ${shop.cashboxId}`;
  const [transfer] = await idsOf(`/company/cashbox/cashbox/${shop.cashboxId}/transfers`, shop.director);
  await untilFed(tenant, 'trade.sale', sale);
  await expect
    .poll(async () => new Set((await wholeFeed(tenant)).slice(before).map(([type, id]) => `${type} ${id}`)), {
      timeout: MAX_WAIT_MS,
    })
    .toEqual(
      new Set([`trade.sale ${sale}`, `stock.product ${balance}`, desk, `cashbox.transfer ${transfer}`]),
    );
});
