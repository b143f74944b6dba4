import { print } from '../program/main.ts';
import { enter } from '../program/person.ts';

const PASSWORD = 'Demo-2026-shop';

const CASHIER_ROUTES = [
  ...['company.trade.sale.*', 'company.trade.hold.*', 'company.cashbox.operation.*'],
  ...['company.trade.cashbox-shift.*', 'company.client.debt-payment.*'],
];

/** Founds a company of the demo's own with its director, so that it can be run any number of times. */
export async function newTenant(address: string) {
  const admin = await enter(address, 'admin');
  const run = Date.now().toString(36);
  const companyId = await admin.make('/admin/company/company', { name: `Bahor ${run}` });
  const names = { director: `director-${run}`, cashier: `cashier-${run}` };
  const hire = async (username: string, person: object) => {
    const password = { new_password: PASSWORD, new_password_confirmation: PASSWORD };
    const common = { company_id: companyId, phone: '998901112233', ...password };
    await admin.make('/admin/company/user', { ...common, username, ...person });
    return enter(address, username, PASSWORD);
  };
  const director = await hire(names.director, { type: 'director' });
  return { address, companyId, names, password: PASSWORD, admin, director, hire };
}

/** A company of the demo's own, with its people, a warehouse and a desk. */
export type DemoShop = Awaited<ReturnType<typeof setUpDemo>>;

/** Founds a company with a warehouse, a desk, a director and a cashier, who may sell at that desk. */
export async function setUpDemo(address: string) {
  const { hire, ...tenant } = await newTenant(address);
  const { admin, director, companyId: company_id, names } = tenant;
  const stock_id = await director.make('/company/stock/stock', { name: 'Ombor' });
  const cashbox_id = await director.make('/company/cashbox/cashbox', { name: 'Kassa 1', type: 'sale' });
  const role = { type: 'employee', name: 'Kassir', company_id, new_routes: CASHIER_ROUTES };
  const role_id = await admin.make('/admin/user/role', role);
  const places = { cashbox_ids: [cashbox_id], stock_ids: [stock_id] };
  const cashier = await hire(names.cashier, { type: 'employee', role_id, ...places });
  return { ...tenant, cashier, stock_id, cashbox_id, say: print };
}

export const SALE_ROUTE = '/company/trade/sale';

/** How much of each product. */
export type DemoGoods = readonly (readonly [productId: number, quantity: number])[];

/** Makes the body of a sale: how much of each product, and what is paid in which way. */
export function saleAt(
  { cashbox_id, stock_id }: Pick<DemoShop, 'cashbox_id' | 'stock_id'>,
  goods: DemoGoods,
  payments: object,
): object {
  return {
    ...{ cashbox_id, stock_id, currency: 'uzs' },
    products: goods.map(([product_id, sold_quantity]) => ({ product_id, sold_quantity })),
    transactions: Object.entries(payments).map(([payment_type, amount]) => ({ payment_type, amount })),
  };
}

/** Writes an amount with its thousands apart. */
export function withSpaces(amount: number): string {
  return String(amount).replace(/\B(?=(\d{3})+$)/g, ' ');
}
