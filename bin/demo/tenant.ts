import { enter } from '../program/person.ts';

const PASSWORD = 'Demo-2026-shop';

/** Makes a company of the demo's own, so that it can be run any number of times. */
export async function newTenant(address: string) {
  const admin = await enter(address, 'admin');
  const run = Date.now().toString(36);
  const company_id = await admin.make('/admin/company/company', { name: `Bahor ${run}` });
  const role_id = await admin.make('/admin/user/role', {
    type: 'employee',
    name: 'Kassir',
    company_id,
    new_routes: [
      ...['company.trade.sale.*', 'company.trade.hold.*', 'company.cashbox.operation.*'],
      ...['company.trade.cashbox-shift.*', 'company.client.debt-payment.*'],
    ],
  });
  const person = {
    company_id,
    phone: '998901112233',
    new_password: PASSWORD,
    new_password_confirmation: PASSWORD,
  };
  const names = { director: `director-${run}`, cashier: `cashier-${run}` };
  await admin.make('/admin/company/user', { ...person, type: 'director', username: names.director });
  return {
    companyId: company_id,
    names,
    password: PASSWORD,
    director: await enter(address, names.director, PASSWORD),
    /** Hires the cashier, who may sell at these desks out of these warehouses. */
    hire: async (places: { cashbox_ids: number[]; stock_ids: number[] }) => {
      const cashier = { ...person, type: 'employee', role_id, username: names.cashier, ...places };
      await admin.make('/admin/company/user', cashier);
      return enter(address, names.cashier, PASSWORD);
    },
  };
}
