import { brands } from '#lib/catalog/brand.ts';
import { categories } from '#lib/catalog/category.ts';
import { units } from '#lib/catalog/unit/unit.ts';
import { insertion } from '#lib/records/record-writes.ts';
import type { Write } from '#lib/table/change/write.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import type { Instant } from '#lib/values/time.ts';
import { asCall } from './as-call.ts';
import { call } from './http.ts';
import type { FamilyWithDirector } from './provisioning.ts';
import { make } from './records.ts';

/** Records that a product card refers to. */
export interface Catalog {
  readonly category_id: number;
  readonly brand_id: number;
  readonly unit_id: number;
}

/** Creates the records a first product needs: category, brand and unit. */
export async function newCatalog(family: FamilyWithDirector, at = Date.now()): Promise<Catalog> {
  const tenant = familyTenant(family.companyId);
  const [category_id, brand_id, unit_id] = await asCall(() =>
    Promise.all([nextId(categories.type, tenant), nextId(brands.type, tenant), nextId(units.type, tenant)]),
  );
  const catalog = { category_id, brand_id, unit_id };
  await transact(catalogWrites(family, catalog, at));
  return catalog;
}

/** Builds the writes of it. */
export function catalogWrites(
  { companyId, directorId }: FamilyWithDirector,
  ids: Catalog,
  at: Instant,
): Write[] {
  const tenant = familyTenant(companyId);
  const maker = { company_id: companyId, creator_id: directorId };
  const base = { ...maker, created_at: at, updated_at: at, is_deleted: false };
  const name = { ru: 'Напитки', uz: 'Ичимликлар', oz: 'Ichimliklar' };
  const piece = { ru: 'штука', uz: 'дона', oz: 'dona' };
  const image = { image: null, image_thumbs: [] };
  return [
    insertion(categories, tenant, { ...base, id: ids.category_id, name, parent_id: null }),
    insertion(brands, tenant, { ...base, ...image, id: ids.brand_id, name: 'Nestlé' }),
    insertion(units, tenant, { ...base, id: ids.unit_id, name: piece, accuracy: 0, source_id: null }),
  ].flat();
}

let made = 0;

/** Builds the body of a product of the catalogue. */
export function card(catalog: Catalog, given: object = {}) {
  made += 1;
  return {
    name: 'Water',
    barcode: `47800${made}`,
    ...catalog,
    sale_price: 5000,
    sale_currency: 'uzs',
    ...given,
  };
}

/** Creates a product of the catalogue over HTTP. */
export function addProduct(token: string, catalog: Catalog, given: object = {}) {
  return call('POST /company/product/product', { token, json: card(catalog, given) });
}

/** Creates one of each noun of the catalogue that no product names. */
export async function makeSideCatalog(token: string): Promise<void> {
  const name = { uz: 'Quti', oz: 'Қути', ru: 'Коробка' };
  const specification = { name, description: name };
  const specification_id = await make('/company/product/specification', token, specification);
  const service_unit_id = await make('/company/product/service-unit', token, { name });
  await make('/company/product/option', token, { specification_id, name: 'Oq' });
  await make('/company/product/service', token, { service_unit_id, name: 'Yetkazish', price: 10_000 });
}
