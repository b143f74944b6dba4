import { brands } from '#lib/catalog/brand.ts';
import { categories } from '#lib/catalog/category.ts';
import { units } from '#lib/catalog/unit/unit.ts';
import { insertRecord } from '#lib/records/record-writes.ts';
import { familyHome } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import type { Family } from './family.ts';
import { call } from './http.ts';

/** Makes what a first product needs: category, brand and unit, each with the id 1. */
export async function newShelf({ companyId: company_id, directorId: creator_id }: Family, at = Date.now()) {
  const home = familyHome(company_id);
  const base = { company_id, creator_id, created_at: at, updated_at: at, is_deleted: false };
  const name = { ru: 'Напитки', uz: 'Ичимликлар', oz: 'Ichimliklar' };
  const piece = { ru: 'штука', uz: 'дона', oz: 'dona' };
  const image = { image: null, image_thumbs: [] };
  const [category, brand, unit] = await Promise.all(
    [categories, brands, units].map(({ type }) => nextId(type, home)),
  );
  await Promise.all([
    insertRecord(categories, home, { ...base, id: category ?? 0, name, parent_id: null }),
    insertRecord(brands, home, { ...base, ...image, id: brand ?? 0, name: 'Nestlé' }),
    insertRecord(units, home, { ...base, id: unit ?? 0, name: piece, accuracy: 0, source_id: null }),
  ]);
}

let made = 0;

/** Makes the body of a product of the shelf. */
export function card(given: object = {}) {
  made += 1;
  return {
    name: 'Water',
    barcode: `47800${made}`,
    category_id: 1,
    brand_id: 1,
    unit_id: 1,
    sale_price: 5000,
    sale_currency: 'uzs',
    ...given,
  };
}

/** Makes a product of the shelf over HTTP. */
export function addProduct(token: string, given: object = {}) {
  return call('POST /company/product/product', { token, json: card(given) });
}
