import { signInAs } from '../cli/person.ts';
import { type Basket, SALE_ROUTE, saleAt } from '../cli/trade.ts';

const PASSWORD = 'Demo-2026-shop';

const CASHIER_ROUTES = [
  ...['company.trade.sale.*', 'company.trade.hold.*', 'company.cashbox.operation.*'],
  ...['company.trade.cashbox-shift.*', 'company.client.debt-payment.*'],
  ...['company.product.product.index', 'company.cashbox.currency-rate.index'],
];

/** Creates a company of the demo's own with its director, so that the demo can be run any number of times. */
export async function newTenant(address: string) {
  const admin = await signInAs(address, 'admin');
  const run = Date.now().toString(36);
  const companyId = await admin.make('/admin/company/company', { name: `Bahor ${run}` });
  const names = { director: `director-${run}`, cashier: `cashier-${run}` };
  const hire = async (username: string, person: object) => {
    const password = { new_password: PASSWORD, new_password_confirmation: PASSWORD };
    const common = { company_id: companyId, phone: '998901112233', ...password };
    await admin.make('/admin/company/user', { ...common, username, ...person });
    return signInAs(address, username, PASSWORD);
  };
  const director = await hire(names.director, { type: 'director' });
  return { address, companyId, names, password: PASSWORD, admin, director, hire };
}

/** A company of the demo's own, with its users, a warehouse and a desk. */
export type DemoShop = Awaited<ReturnType<typeof setUpDemo>>;

/**
 * Creates a company with a warehouse, a desk, a director and a cashier with the right to sell at that desk.
 */
export async function setUpDemo(address: string) {
  const { hire, ...tenant } = await newTenant(address);
  const { admin, director, companyId: company_id, names } = tenant;
  const stock_id = await director.make('/company/stock/stock', { name: 'Ombor' });
  const cashbox_id = await director.make('/company/cashbox/cashbox', { name: 'Kassa 1', type: 'sale' });
  const role = { type: 'employee', name: 'Kassir', company_id, new_routes: CASHIER_ROUTES };
  const role_id = await admin.make('/admin/user/role', role);
  const places = { cashbox_ids: [cashbox_id], stock_ids: [stock_id] };
  const cashier = await hire(names.cashier, { type: 'employee', role_id, ...places });
  const counter = { cashbox_id, stock_id };
  return {
    ...{ ...tenant, ...counter, cashier },
    /** Sells as the cashier; returns the sale's id. */
    sell: (goods: Basket, payments: object, more: object = {}) =>
      cashier.make(SALE_ROUTE, { ...saleAt(counter, goods, payments), ...more }),
    /** Tries to sell; returns the error message. */
    failToSell: async (status: number, goods: Basket, payments: object) => {
      const sale = saleAt(counter, goods, payments);
      return JSON.stringify((await cashier.expectRefusal(status, `POST ${SALE_ROUTE}`, sale)).body);
    },
  };
}

/** Formats an amount with spaces between thousands. */
export function withSpaces(amount: number): string {
  return String(amount).replace(/\B(?=(\d{3})+$)/g, ' ');
}
