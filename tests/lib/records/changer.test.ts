import { expect, test } from 'vitest';
import { lastModifierOf, stampModifier } from '#lib/records/last-modified.ts';
import { familyTenant, recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { runInContext } from '#lib/table/request-context.ts';
import { newEmployee, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { make } from '#tests/support/records.ts';
import { newShop, type Shop } from '#tests/support/shop.ts';

const BRANDS = '/company/product/brand';

/** Reads who changed a record of a family last. */
async function changerIn({ companyId }: Shop, type: string, id: number) {
  return lastModifierOf((await getItem(recordKey(type, familyTenant(companyId), id))) ?? {});
}

async function idOf(token: string): Promise<unknown> {
  return Object((await call('GET /common/user/profile', { token })).body).id;
}

test('a header names who made a record, and then who changed it last', async () => {
  const shop = await newShop();
  const other = await newEmployee(shop, ['company.product.brand.*']);
  const id = await make(BRANDS, shop.director, { name: 'Левый', image_old_keys: '[]' });
  const director = { creator_id: shop.directorId, impersonator_id: null };
  expect(await changerIn(shop, 'brand', id)).toEqual(director);
  const json = { name: 'Правый', image_old_keys: '[]' };
  const { body } = await call(`PUT ${BRANDS}/${id}`, { token: other, json });
  expect(await changerIn(shop, 'brand', id)).toEqual({ ...director, creator_id: await idOf(other) });
  expect(JSON.stringify(body)).not.toContain('changed_');
  await call(`DELETE ${BRANDS}/${id}`, { token: shop.director });
  expect(await changerIn(shop, 'brand', id)).toEqual(director);
});

test('a header names the administrator who acted as the user', async () => {
  const shop = await newShop();
  const administrator = await newSuperAdministrator();
  const acting = await call(`PATCH /admin/user/user/${shop.directorId}/auth-as`, { token: administrator });
  const token = String(Object(acting.body).token);
  const both = { creator_id: shop.directorId, impersonator_id: await idOf(administrator) };
  const id = await make(BRANDS, token, { name: 'Левый', image_old_keys: '[]' });
  expect(await changerIn(shop, 'brand', id)).toEqual(both);
  const json = { name: 'Правый', image_old_keys: '[]' };
  await call(`PUT ${BRANDS}/${id}`, { token: shop.director, json });
  expect(await changerIn(shop, 'brand', id)).toEqual({ ...both, impersonator_id: null });
  await call(`PUT ${BRANDS}/${id}`, { token, json: { ...json, name: 'Средний' } });
  expect(await changerIn(shop, 'brand', id)).toEqual(both);
});

test('what is new and says who made it keeps nothing twice, what a worker changes was changed by nobody', () => {
  const changer = { creator_id: 7, impersonator_id: null };
  const document = { id: 1, version: 1, creator_id: 7, impersonator_id: null };
  expect(runInContext({ changer }, () => stampModifier(document))).toEqual(document);
  const other = { changer: { creator_id: 8, impersonator_id: 9 } };
  const changed = runInContext(other, () => stampModifier({ ...document, version: 2 }));
  expect(changed).toMatchObject({ changed_by_id: 8, changed_impersonator_id: 9 });
  expect(lastModifierOf(changed)).toEqual(other.changer);
  expect(stampModifier({ ...changed, version: 3 })).toEqual({ ...document, version: 3 });
  expect(lastModifierOf({ ...document, version: 3 })).toEqual({ creator_id: null, impersonator_id: null });
});
