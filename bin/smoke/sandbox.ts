import { randomBytes } from 'node:crypto';
import { type Person, personOf } from '../cli/person.ts';

/** Runs a step, and prints its name with its duration in milliseconds. */
export type Timed = <T>(step: string, work: () => Promise<T>) => Promise<T>;

/** A company for tests only, with its director and the references of a sale. */
export type Sandbox = Awaited<ReturnType<typeof shopOf>>;

const GOODS = 'Smoke test';
const WORDS = { ru: GOODS, uz: GOODS, oz: GOODS };

/**
 * Finds or creates the administrator's sandbox company with its director, and signs in as that director. Each
 * administrator has a separate one, so that concurrent runs don't interfere.
 */
export async function enterSandbox(
  { address, username }: { readonly address: string; readonly username: string },
  admin: Person,
  timed: Timed,
): Promise<Sandbox> {
  const company_id = await timed('finds the sandbox company', () =>
    findOrMake(admin, '/admin/company/company', { name: `Sandbox of ${username}` }),
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
  return findOrMake(
    admin,
    `/admin/company/user?filter[company_id]=${company_id}`,
    {
      ...{ company_id, type: 'director', username: `smoke-${company_id}`, phone: '998900000000' },
      ...{ new_password: password, new_password_confirmation: password },
    },
    'type',
  );
}

async function shopOf(director: Person) {
  const find = (kind: string, record: object) => findOrMake(director, `/company/${kind}`, record);
  const card = {
    category_id: await find('product/category', { name: WORDS }),
    unit_id: await find('product/unit', { name: WORDS, accuracy: 0 }),
    brand_id: await find('product/brand', { name: GOODS, image_old_keys: '[]' }),
  };
  const price = { sale_price: 1000, sale_currency: 'uzs' };
  const desk = { name: GOODS, type: 'sale' };
  return {
    director,
    stock_id: await find('stock/stock', { name: GOODS }),
    cashbox_id: await findOrMake(director, '/company/cashbox/cashbox', desk, 'type'),
    product_id: await find('product/product', { ...card, ...price, name: GOODS, barcode: 'smoke' }),
  };
}

/** Finds the first record of a list by one of its fields, or creates it. */
async function findOrMake(person: Person, list: string, record: object, field = 'name'): Promise<number> {
  const [path = '', query = ''] = list.split('?');
  const value = new Map(Object.entries(record)).get(field);
  const filter = new URLSearchParams(query);
  filter.set(`filter[${field}]`, typeof value === 'string' ? value : GOODS);
  const [found] = (await person.call(`GET ${path}?${filter}`)).rows();
  return found?.number('id') ?? person.make(path, record);
}
