import { onTestFinished } from 'vitest';
import { type Person, sendTo, signInAs } from '#bin/cli/person.ts';
import { startProcess } from '#bin/local/process.ts';

const PASSWORD = 'Weeks-2026-shop';

/** Up to how many percent of the revenue the segments of goods reach: so that few goods are in all three. */
export const SEGMENTS = { a: 60, b: 85 };

/** A desk, and where its goods come from: both of one company. */
export interface Place {
  company_id: number;
  cashbox_id: number;
  stock_id: number;
  currency: string;
}

/**
 * A family of two companies that sell in two currencies, in a service of its own whose clock is moved, with
 * what random weeks need.
 */
export type Weeks = Awaited<ReturnType<typeof newWeeks>>;

/** Makes them on the first of their days, with goods on all shelves still to come. */
export async function newWeeks(firstDay: string) {
  const { address, settings, stop } = await startProcess();
  onTestFinished(stop);
  // Folds of this process are of its table.
  Object.assign(process.env, settings);
  const setClock = async (now: string) => {
    const { status } = await sendTo(address, 'PUT /_local/clock', { json: { now } });
    if (status !== 200) throw new Error(`The clock can't be set to ${now}`);
  };
  await setClock(`${firstDay}T08:00`);
  const admin = await signInAs(address, 'admin');
  const company_id = await admin.make('/admin/company/company', { name: 'Bahor' });
  const branch_id = await admin.make('/admin/company/company', { name: 'Filial', parent_id: company_id });
  const hire = async (username: string, given: object) => {
    const secret = { new_password: PASSWORD, new_password_confirmation: PASSWORD };
    await admin.make('/admin/company/user', { username, phone: '998901112233', ...secret, ...given });
    return signInAs(address, username, PASSWORD);
  };
  const director = await hire('weeks-director', { type: 'director', company_id });
  const second = await hire('weeks-second', { type: 'director', company_id });
  const manager = await hire('weeks-manager', { type: 'director', company_id: branch_id });
  const currencies = '/company/cashbox/currency-rate/settings';
  await manager.call(`PATCH ${currencies}`, { sale_currency: 'usd' });
  const stockOf = (name: string, of: number) =>
    director.make('/company/stock/stock', { name, company_id: of });
  const deskOf = (name: string, of: number) =>
    director.make('/company/cashbox/cashbox', { name, type: 'sale', company_id: of });
  const own = { company_id, currency: 'uzs' };
  const stockIds = [await stockOf('Ombor', company_id), await stockOf('Ikkinchi', company_id)] as const;
  const branchStock = await stockOf('Filial', branch_id);
  const places: Place[] = [
    { ...own, stock_id: stockIds[0], cashbox_id: await deskOf('Kassa 1', company_id) },
    { ...own, stock_id: stockIds[1], cashbox_id: await deskOf('Kassa 2', company_id) },
    {
      ...{ company_id: branch_id, currency: 'usd', stock_id: branchStock },
      cashbox_id: await deskOf('Kassa 3', branch_id),
    },
    // It moves to the branch one day.
    { ...own, stock_id: stockIds[0], cashbox_id: await deskOf('Kassa 4', company_id) },
  ];
  const goods = await stockCatalog(director);
  const clientOf = (full_name: string, main_phone: string, more: object = {}) =>
    director.make('/company/client/client', { full_name, main_phone, ...more });
  const report_settings = { abc_segment_a: SEGMENTS.a, abc_segment_b: SEGMENTS.b };
  await director.call('PUT /company/company/settings', { report_settings });
  const bonus_tariff_id = await director.make('/company/client/bonus-tariff', { name: 'Oltin', percent: 5 });
  const reasonOf = (type: string) => director.make('/company/cashbox/reason', { type, name: 'Boshqa' });
  return {
    ...{ setClock, people: [director, second] as const, director, manager, company_id, branch_id, places },
    ...{ stockIds: [...stockIds, branchStock], ...goods },
    clientIds: [
      await clientOf('Aziz', '998901112233'),
      await clientOf('Dilnoza', '998901112244', { bonus_tariff_id }),
    ],
    reasons: { income: await reasonOf('income'), outcome: await reasonOf('outcome') },
  };
}

/** A product, as reports group it and price it. */
export interface Goods {
  readonly id: number;
  /** Another one from some day on. */
  category_id: number;
  readonly brand_id: number | null;
  readonly sale_price: number;
  readonly sale_currency: string;
  /** Its card, as it was made. */
  readonly card: object;
}

async function stockCatalog(director: Person) {
  const named = (name: string) => ({ name: { ru: name, uz: name, oz: name } });
  const food = await director.make('/company/product/category', { ...named('Oziq-ovqat'), parent_id: null });
  const tea = await director.make('/company/product/category', { ...named('Choy'), parent_id: food });
  const brand = await director.make('/company/product/brand', { name: 'Bahor', image_old_keys: '[]' });
  const unit_id = await director.make('/company/product/unit', { ...named('dona'), accuracy: 2 });
  const goods: Goods[] = [];
  for (const [index, sale_price] of [5000, 1234.5, 99.99, 12_000, 3.25].entries()) {
    const of = {
      category_id: index % 2 === 0 ? food : tea,
      brand_id: index === 3 ? null : brand,
      sale_price,
      sale_currency: index === 4 ? 'usd' : 'uzs',
    };
    // Only a variant may have no brand.
    const parent_id = index === 3 ? goods[0]?.id : null;
    const named = { name: `Mahsulot ${index}`, barcode: `47800${index}`, unit_id, parent_id };
    const card = { ...of, ...named, is_free_price: true };
    goods.push({ id: await director.make('/company/product/product', card), ...of, card });
  }
  const [first, second] = goods;
  const bundle_id = await director.make('/company/product/bundle', {
    name: 'To‘plam',
    price: 5500,
    products: [
      { product_id: first?.id, quantity: 1 },
      { product_id: second?.id, quantity: 2 },
    ],
  });
  return { goods, bundle_id, categories: { food, tea } };
}
