import { Account } from '#lib/auth/account.ts';
import { isIn, type Staff } from '#lib/auth/actor.ts';
import { actorFor, userKey } from '#lib/auth/identify.ts';
import * as desks from '#lib/cash/desk/desk.ts';
import * as brands from '#lib/catalog/brand.ts';
import * as categories from '#lib/catalog/category.ts';
import * as products from '#lib/catalog/product/product.ts';
import * as units from '#lib/catalog/unit/unit.ts';
import * as clients from '#lib/clients/client.ts';
import { ClientInput } from '#lib/clients/client-input.ts';
import * as companySettings from '#lib/current-user/company-settings.ts';
import { CompanyInput } from '#lib/people/company/company.ts';
import { RoleInput } from '#lib/people/role/input.ts';
import * as roles from '#lib/people/role/role.ts';
import * as companyUsers from '#lib/people/user/company-user.ts';
import { NewCompanyUser, NewPartnerUser } from '#lib/people/user/input.ts';
import * as partnerUsers from '#lib/people/user/partner-user.ts';
import { users } from '#lib/people/user/user.ts';
import { makeSuperAdministrator } from '#lib/platform/first-administrator.ts';
import { makeFirstRecords } from '#lib/platform/first-records.ts';
import { setUpCompany, setUpPartner } from '#lib/platform/provisioning.ts';
import { findRecord } from '#lib/records/record.ts';
import { checkFloors } from '#lib/stock/price-floors.ts';
import * as suppliers from '#lib/stock/supplier/supplier.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { completeGoodsReceipt } from '#lib/trade/goods-receipt/end.ts';
import * as purchases from '#lib/trade/goods-receipt/goods-receipt.ts';
import { GoodsReceiptInput } from '#lib/trade/goods-receipt/record.ts';
import type { Instant } from '#lib/values/time.ts';
import { maker } from './maker.ts';

export const DEMO_PASSWORD = 'Retail-2026';

export const DEMO_ACCOUNTS = [
  { username: 'admin', what: 'super-administrator of the platform' },
  { username: 'director', what: 'director of the main company' },
  { username: 'branch-director', what: 'director of its branch' },
  { username: 'cashier', what: 'employee of the main company, with a role' },
  { username: 'branch-cashier', what: 'employee of the branch, whose desk works by shifts' },
  { username: 'partner', what: "user of the company's partner" },
] as const;

/** Rights of a cashier for a day. Contract 9.144. */
const CASHIER_ROUTES = [
  ...['company.product.brand.index', 'company.product.brand.show', 'company.product.product.index'],
  ...['company.product.product.show', 'company.product.bundle.index', 'company.stock.product.index'],
  'company.product.scan',
  ...['company.cashbox.currency-rate.index', 'company.cashbox.currency-rate.settings'],
  ...['current', 'index', 'show', 'store', 'close', 'expense', 'print'].map(
    (word) => `company.trade.cashbox-shift.${word}`,
  ),
  'company.trade.cashbox-shift.expense-reasons.*',
  ...['company.trade.sale.*', 'company.trade.hold.*', 'company.trade.cashbox.cheque.*'],
  ...['index', 'show', 'store', 'update'].map((word) => `company.client.client.${word}`),
  ...['company.client.debt.*', 'company.client.debt-payment.*'],
];

/**
 * Fills an empty table with a company, its branch and the demo accounts; a table with these is left
 * unchanged.
 */
export async function makeDemoData(at: Instant): Promise<void> {
  await makeFirstRecords(at);
  if (await findRecord({ type: users, tenant: PLATFORM, id: 1 })) return;
  await makeSuperAdministrator(account('admin'), at);
  const partner_id = await makePartner(at);
  const company = { name: 'Namuna Savdo', partner_id };
  const main = await setUpCompany(maker, CompanyInput.parse(company), at);
  const branchCompany = { name: 'Namuna Savdo, Samarqand', partner_id, parent_id: main.id };
  const branch = await setUpCompany(maker, CompanyInput.parse(branchCompany), at);
  const role = { type: 'employee', name: 'Kassir', company_id: main.id, new_routes: CASHIER_ROUTES };
  const { id: role_id } = await roles.create(maker, RoleInput.parse(role), at);
  const director = await makeStaff({ username: 'director', type: 'director', company_id: main.id }, at);
  const branchDirector = await makeStaff(
    { username: 'branch-director', type: 'director', company_id: branch.id },
    at,
  );
  const goods = await makeGoods(await staffOf(director), at);
  const places = await openShop(await staffOf(director), MAIN_SHOP, { goods, at });
  const cashier = { type: 'employee', role_id };
  await makeStaff({ username: 'cashier', ...cashier, company_id: main.id, ...places }, at);
  const ofBranch = await openShopWithShifts(await staffOf(branchDirector), { goods, at });
  await makeStaff({ username: 'branch-cashier', ...cashier, company_id: branch.id, ...ofBranch }, at);
}

async function makePartner(at: Instant): Promise<number> {
  const { id } = await setUpPartner({ name: 'Namuna Hamkor', phone: '998901234567' }, at);
  const form = { ...account('partner'), partner_id: id, new_password_confirmation: DEMO_PASSWORD };
  await partnerUsers.create(maker, NewPartnerUser.parse(form), at);
  return id;
}

type Given = Readonly<Record<string, unknown>> & { readonly username: string };

async function makeStaff(given: Given, at: Instant): Promise<number> {
  const sight = { are_all_companies_available: false, new_password_confirmation: DEMO_PASSWORD };
  const form = { ...account(given.username), ...sight, ...given };
  return (await companyUsers.create(maker, NewCompanyUser.parse(form), at)).id;
}

async function staffOf(userId: number): Promise<Staff> {
  const actor = await actorFor(Account.parse(await getItem(userKey(userId))));
  if (!isIn('company', actor)) throw new Error(`User ${userId} is of no company`);
  return actor;
}

function account(username: string) {
  return {
    username,
    phone: '998901234567',
    telephony_sip_number: null,
    are_all_companies_available: true,
    new_password: DEMO_PASSWORD,
    profile: { first_name: username, last_name: 'Namuna', position: null },
  };
}

const GOODS = [
  { name: 'Suv 1,5 l', barcode: '4780000000017', sale_price: 4000, quantity: 240, cost: 2500 },
  { name: 'Choy, ko‘k 100 g', barcode: '4780000000024', sale_price: 12_500, quantity: 80, cost: 9000 },
  { name: 'Shakar 1 kg', barcode: '4780000000031', sale_price: 14_000, quantity: 50.5, cost: 11_500 },
];

const MAIN_SHOP = { desk: 'Kassa 1', warehouse: 'Asosiy ombor' };
const BRANCH_SHOP = { desk: 'Samarqand, kassa 1', warehouse: 'Samarqand ombori' };

/** Fills a director's shop with a few goods to sell; returns its desk and warehouse. */
export async function makeDemoShop(director: Staff, at: Instant) {
  return openShop(director, MAIN_SHOP, { goods: await makeGoods(director, at), at });
}

type Goods = Awaited<ReturnType<typeof makeGoods>>;

/** Makes the cards of a few goods, a supplier of them and a client; returns a delivery of all goods. */
async function makeGoods(director: Staff, at: Instant) {
  const food = { ru: 'Продукты', uz: 'Озиқ-овқат', oz: 'Oziq-ovqat' };
  const category = await categories.create(director, { name: food, parent_id: null }, at);
  const piece = { ru: 'штука', uz: 'дона', oz: 'dona' };
  const unit = await units.create(director, { name: piece, accuracy: 3 }, at);
  const brand = await brands.createNamedBrand(director, 'Namuna', at);
  const supplier = await suppliers.create(director, { name: 'Ulgurji', phone: null }, at);
  const client = { full_name: 'Aziza Karimova', main_phone: '998907654321' };
  await clients.create(director, ClientInput.parse(client), at);

  const card = { category_id: category.id, unit_id: unit.id, brand_id: brand.id, sale_currency: 'uzs' };
  const lines = [];
  for (const { quantity, cost, ...goods } of GOODS) {
    const { id } = await products.create(director, products.ProductInput.parse({ ...card, ...goods }), {
      at,
      checkFloors,
    });
    lines.push({ product_id: id, quantity, cost });
  }
  return { supplier_id: supplier.id, currency: 'uzs', products: lines };
}

/** Opens a shop of a director's company: a desk, and a warehouse with goods. Returns the ids of both. */
async function openShop(
  director: Staff,
  names: typeof MAIN_SHOP,
  { goods, at }: { readonly goods: Goods; readonly at: Instant },
) {
  const warehouse = await warehouses.create(director, { name: names.warehouse, company_id: null }, at);
  const desk = await desks.create(director, { name: names.desk, type: 'sale', company_id: null }, at);
  const delivery = GoodsReceiptInput.parse({ ...goods, stock_id: warehouse.id });
  const { id } = await purchases.create(director, delivery, at, () => []);
  await completeGoodsReceipt(director, id, at, () => []);
  return { cashbox_ids: [desk.id], stock_ids: [warehouse.id] };
}

/** Opens a shop likewise whose desk sells only in an open shift. */
async function openShopWithShifts(
  director: Staff,
  { goods, at }: { readonly goods: Goods; readonly at: Instant },
) {
  await companySettings.edit(director, { cashbox_shift_settings: { is_enabled: true } }, at);
  return openShop(director, BRANCH_SHOP, { goods, at });
}
