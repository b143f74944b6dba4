import { expect, test } from 'vitest';
import { newFamily, newSuperAdministrator } from '#tests/kit/family.ts';
import { call } from '#tests/kit/http.ts';
import { make } from '#tests/kit/records.ts';
import { newClient, newGoods, newShop, onDebt } from '#tests/kit/shop.ts';

test('a role is read by the family and by the platform', async () => {
  const [{ director }, administrator] = await Promise.all([newFamily(), newSuperAdministrator()]);
  const role = { name: 'Кассир', new_routes: ['company.trade.sale.index'] };
  const id = await make('/company/user/role', director, { type: 'employee', ...role });
  expect((await call(`GET /company/user/role/${id}`, { token: director })).body).toMatchObject(role);
  const ours = { type: 'admin', name: `Смотритель ${id}`, new_routes: ['admin.region.region.index'] };
  const own = await make('/admin/user/role', administrator, ours);
  expect((await call(`GET /admin/user/role/${own}`, { token: administrator })).body).toMatchObject(ours);
});

test('a bundle and a debt are read', async () => {
  const shop = await newShop();
  const { director: token } = shop;
  const product = await newGoods(shop, [{ quantity: 10, cost: 1000 }]);
  const bundle = { name: 'Набор', price: 9000, products: [{ product_id: product, quantity: 2 }] };
  const id = await make('/company/product/bundle', token, bundle);
  expect((await call(`GET /company/product/bundle/${id}`, { token })).body).toMatchObject({ name: 'Набор' });
  const json = onDebt(shop, await newClient(shop), product, 5000);
  expect((await call('POST /company/trade/sale', { token, json })).status).toBe(200);
  const debts = await call('GET /company/client/debt', { token });
  expect(debts.body).toMatchObject({ data: [{ remaining_amount: 5000 }] });
});
