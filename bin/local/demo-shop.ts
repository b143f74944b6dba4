import type { Staff } from '#lib/access/actor.ts';
import * as desks from '#lib/cash/desk/desk.ts';
import * as brands from '#lib/catalog/brand.ts';
import * as categories from '#lib/catalog/category.ts';
import { ProductInput } from '#lib/catalog/product/input.ts';
import * as products from '#lib/catalog/product/product.ts';
import * as units from '#lib/catalog/unit/unit.ts';
import * as clients from '#lib/clients/client.ts';
import { ClientInput } from '#lib/clients/client-input.ts';
import * as suppliers from '#lib/stock/supplier.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import { completeReceipt } from '#lib/trade/receipt/complete.ts';
import { ReceiptInput } from '#lib/trade/receipt/input.ts';
import * as purchases from '#lib/trade/receipt/receipt.ts';
import type { Instant } from '#lib/values/time.ts';

const GOODS = [
  { name: 'Suv 1,5 l', barcode: '4780000000017', sale_price: 4000, quantity: 240, cost: 2500 },
  { name: 'Choy, ko‘k 100 g', barcode: '4780000000024', sale_price: 12_500, quantity: 80, cost: 9000 },
  { name: 'Shakar 1 kg', barcode: '4780000000031', sale_price: 14_000, quantity: 50.5, cost: 11_500 },
];

/** Fills a director's shop with a few goods to sell; answers with its desk and its warehouse. */
export async function makeDemoShop(director: Staff, at: Instant) {
  const food = { ru: 'Продукты', uz: 'Озиқ-овқат', oz: 'Oziq-ovqat' };
  const category = await categories.create(director, { name: food, parent_id: null }, at);
  const piece = { ru: 'штука', uz: 'дона', oz: 'dona' };
  const unit = await units.create(director, { name: piece, accuracy: 3 }, at);
  const brand = await brands.createNamedBrand(director, 'Namuna', at);
  const warehouse = await warehouses.create(director, { name: 'Asosiy ombor', company_id: null }, at);
  const desk = await desks.create(director, { name: 'Kassa 1', type: 'sale', company_id: null }, at);
  const supplier = await suppliers.create(director, { name: 'Ulgurji', phone: null }, at);
  const client = { full_name: 'Aziza Karimova', main_phone: '998907654321' };
  await clients.create(director, ClientInput.parse(client), at);

  const card = { category_id: category.id, unit_id: unit.id, brand_id: brand.id, sale_currency: 'uzs' };
  const lines = [];
  for (const { quantity, cost, ...goods } of GOODS) {
    const { id } = await products.create(director, ProductInput.parse({ ...card, ...goods }), at);
    lines.push({ product_id: id, quantity, cost });
  }
  const receipt = { stock_id: warehouse.id, supplier_id: supplier.id, currency: 'uzs', products: lines };
  const { id } = await purchases.create(director, ReceiptInput.parse(receipt), at, () => []);
  await completeReceipt(director, id, at, () => []);
  return { cashbox_ids: [desk.id], stock_ids: [warehouse.id] };
}
