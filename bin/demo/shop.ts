import { enter, type Person } from '../program/person.ts';
import { newTenant } from './tenant.ts';

/** A company of the demo's own, with its people, a warehouse and a desk. */
export interface DemoShop {
  readonly address: string;
  readonly companyId: number;
  readonly names: { readonly director: string; readonly cashier: string };
  readonly password: string;
  readonly admin: Person;
  readonly director: Person;
  readonly cashier: Person;
  readonly stock_id: number;
  readonly cashbox_id: number;
  readonly say: (sentence: string) => void;
}

/** Founds a company with a warehouse, a desk, a director and a cashier: the demo can be run at any time. */
export async function setUpDemo(address: string, say: DemoShop['say']): Promise<DemoShop> {
  const { hire, ...tenant } = await newTenant(address);
  const director = tenant.director;
  const stock_id = await director.make('/company/stock/stock', { name: 'Ombor' });
  const cashbox_id = await director.make('/company/cashbox/cashbox', { name: 'Kassa 1', type: 'sale' });
  const cashier = await hire({ cashbox_ids: [cashbox_id], stock_ids: [stock_id] });
  const admin = await enter(address, 'admin');
  return { ...tenant, address, admin, director, cashier, stock_id, cashbox_id, say };
}

/** Writes an amount with its thousands apart. */
export function withSpaces(amount: number): string {
  return String(amount).replace(/\B(?=(\d{3})+$)/g, ' ');
}
