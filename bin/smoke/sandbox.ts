import { randomBytes } from 'node:crypto';
import { type Person, personOf } from '../program/person.ts';
import type { Timed } from './stopwatch.ts';

/** A service to be tried, and the administrator who tries it. */
export interface Tried {
  readonly address: string;
  readonly username: string;
  readonly password: string;
}

/** A company that nobody trades in, its director, and what a sale needs. */
export interface Sandbox {
  readonly director: Person;
  readonly stock_id: number;
  readonly cashbox_id: number;
  readonly product_id: number;
}

const GOODS = 'Smoke test';
const WORDS = { ru: GOODS, uz: GOODS, oz: GOODS };

/**
 * Finds the administrator's sandbox company, or makes it with its director, and acts as that director. Each
 * administrator has another, so that two of them don't disturb each other.
 */
export async function enterSandbox(
  { address, username }: Pick<Tried, 'address' | 'username'>,
  admin: Person,
  timed: Timed,
): Promise<Sandbox> {
  const company_id = await timed('finds the sandbox company', () =>
    findOrMake(admin, '/admin/company/company', 'filter[name]', { name: `Sandbox of ${username}` }),
  );
  const token = await timed('acts as its director', async () => {
    const id = await directorOf(admin, company_id);
    return (await admin.call(`PATCH /admin/user/user/${id}/auth-as`)).text('token');
  });
  const director = personOf(address, token);
  return timed('finds its shop', () => shopOf(director));
}

async function directorOf(admin: Person, company_id: number): Promise<number> {
  const password = `1a${randomBytes(18).toString('base64url')}`;
  return findOrMake(admin, `/admin/company/user?filter[company_id]=${company_id}`, 'filter[type]', {
    company_id,
    type: 'director',
    username: `smoke-${company_id}`,
    phone: '998900000000',
    new_password: password,
    new_password_confirmation: password,
  });
}

async function shopOf(director: Person): Promise<Sandbox> {
  const unit = { name: WORDS, accuracy: 0 };
  const brand = { name: GOODS, image_old_keys: '[]' };
  const card = {
    category_id: await findOrMake(director, '/company/product/category', 'filter[name]', { name: WORDS }),
    unit_id: await findOrMake(director, '/company/product/unit', 'filter[name]', unit),
    brand_id: await findOrMake(director, '/company/product/brand', 'filter[name]', brand),
  };
  const price = { sale_price: 1000, sale_currency: 'uzs' };
  const goods = { ...card, ...price, name: GOODS, barcode: 'smoke' };
  const desk = { name: GOODS, type: 'sale' };
  return {
    director,
    stock_id: await findOrMake(director, '/company/stock/stock', 'filter[name]', { name: GOODS }),
    cashbox_id: await findOrMake(director, '/company/cashbox/cashbox', 'filter[type]', desk),
    product_id: await findOrMake(director, '/company/product/product', 'filter[name]', goods),
  };
}

/** Finds the first record of a list by one of its fields; makes it if there is none. */
async function findOrMake(
  client: Person,
  list: string,
  filter: string,
  record: Readonly<Record<string, unknown>>,
): Promise<number> {
  const field = record[filter.slice('filter['.length, -1)];
  const value = typeof field === 'string' ? field : GOODS;
  const query = `${list.includes('?') ? '&' : '?'}${filter}=${encodeURIComponent(value)}`;
  const [found] = (await client.call(`GET ${list}${query}`)).rows();
  return found?.number('id') ?? client.make(list.split('?')[0] ?? list, record);
}
