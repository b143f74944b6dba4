import { brands } from '#lib/catalog/brand.ts';
import { categories } from '#lib/catalog/category.ts';
import { units } from '#lib/catalog/unit/unit.ts';
import { insertRecord } from '#lib/records/record-writes.ts';
import { familyHome } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import type { Family } from './family.ts';
import { call } from './http.ts';

/** What the card of a product points at. */
export interface Catalog {
  readonly category_id: number;
  readonly brand_id: number;
  readonly unit_id: number;
}

/** Makes what a first product needs: category, brand and unit. */
export async function newCatalog(
  { companyId: company_id, directorId: creator_id }: Family,
  at = Date.now(),
): Promise<Catalog> {
  const home = familyHome(company_id);
  const base = { company_id, creator_id, created_at: at, updated_at: at, is_deleted: false };
  const name = { ru: 'Напитки', uz: 'Ичимликлар', oz: 'Ichimliklar' };
  const piece = { ru: 'штука', uz: 'дона', oz: 'dona' };
  const image = { image: null, image_thumbs: [] };
  const [category_id, brand_id, unit_id] = await Promise.all([
    nextId(categories.type, home),
    nextId(brands.type, home),
    nextId(units.type, home),
  ]);
  await Promise.all([
    insertRecord(categories, home, { ...base, id: category_id, name, parent_id: null }),
    insertRecord(brands, home, { ...base, ...image, id: brand_id, name: 'Nestlé' }),
    insertRecord(units, home, { ...base, id: unit_id, name: piece, accuracy: 0, source_id: null }),
  ]);
  return { category_id, brand_id, unit_id };
}

let made = 0;

/** Makes the body of a product of the catalogue. */
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

/** Makes a product of the catalogue over HTTP. */
export function addProduct(token: string, catalog: Catalog, given: object = {}) {
  return call('POST /company/product/product', { token, json: card(catalog, given) });
}
