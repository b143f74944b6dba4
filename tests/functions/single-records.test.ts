import { expect, test } from 'vitest';
import { addClient, onDebt } from '#tests/support/clients.ts';
import { newFamily, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { make } from '#tests/support/records.ts';
import { newGoods, newShop } from '#tests/support/shop.ts';

test('a role is read by the family and by the platform', async () => {
  const [{ director }, administrator] = await Promise.all([newFamily(), newSuperAdministrator()]);
  const role = { name: 'Кассир', new_routes: ['company.trade.sale.index'] };
  const id = await make('/company/user/role', director, { type: 'employee', ...role });
  expect((await call(`GET /company/user/role/${id}`, { token: director })).body).toMatchObject(role);
  const ours = { type: 'admin', name: `Смотритель ${id}`, new_routes: ['admin.region.region.index'] };
  const own = await make('/admin/user/role', administrator, ours);
  const path = `/admin/user/role/${own}`;
  expect((await call(`GET ${path}`, { token: administrator })).body).toMatchObject(ours);
  for (const request of [`DELETE ${path}`, `DELETE ${path}/restore`]) {
    expect((await call(request, { token: administrator })).status).toBe(200);
  }
});

test('a bundle and a debt are read', async () => {
  const shop = await newShop();
  const { director: token } = shop;
  const product = await newGoods(shop, [{ quantity: 10, cost: 1000 }]);
  const bundle = { name: 'Набор', price: 9000, products: [{ product_id: product, quantity: 2 }] };
  const id = await make('/company/product/bundle', token, bundle);
  expect((await call(`GET /company/product/bundle/${id}`, { token })).body).toMatchObject({ name: 'Набор' });
  const json = onDebt(shop, await addClient(shop), product, 5000);
  expect((await call('POST /company/trade/sale', { token, json })).status).toBe(200);
  const debts = await call('GET /company/client/debt', { token });
  expect(debts.body).toMatchObject({ data: [{ remaining_amount: 5000 }] });
});

test('a company user is deleted and restored by the platform', async () => {
  const [{ companyId }, token] = await Promise.all([newFamily(), newSuperAdministrator()]);
  const id = await make('/admin/company/user', token, {
    type: 'director',
    company_id: companyId,
    username: `director-${companyId}`,
    phone: '998901112233',
    are_all_companies_available: true,
    new_password: 'Savdo-2026',
    new_password_confirmation: 'Savdo-2026',
  });
  for (const request of [`DELETE /admin/company/user/${id}`, `DELETE /admin/company/user/${id}/restore`]) {
    expect((await call(request, { token })).status).toBe(200);
  }
});

test('a language keeps the name that it is given again', async () => {
  const token = await newSuperAdministrator();
  const { name } = Object((await call('GET /admin/system/language/3', { token })).body);
  const edited = await call('PUT /admin/system/language/3', { token, json: { name } });
  expect(edited).toMatchObject({ status: 200, body: { name } });
});
