import createClient from 'openapi-fetch';
import type { components, paths } from './generated/api.d.ts';

/*
 * A till as anybody writes it first, without a cast: it need not run, it must compile. What it reads off
 * answers has its type.
 */

const client = createClient<paths>({ baseUrl: '' });

type Inputs = components['schemas'];

/** Sends what was sold without a network, and tries again what was refused. */
export async function afterwards(sales: Inputs['SaleInput'][]): Promise<(number | undefined)[]> {
  const sent = await client.POST('/company/trade/sale/sync', { body: { sales } });
  // @ts-expect-error an entry is a sale
  const other: Inputs['SaleSyncInput'] = { sales: [{ anything: 1 }] };
  const terms: Inputs['RefusedRetryInput'] = { as_of_now: true };
  // @ts-expect-error a changed body is a whole sale
  const part: Inputs['RefusedRetryInput'] = { transactions: [] };
  const tries = [other, terms, part].map(() => 0);
  return [...(sent.data?.data.map(({ refused_id }) => refused_id ?? undefined) ?? []), ...tries];
}

/** Reads what a receiver of webhooks is told. */
export function revisionOf({ data }: Inputs['WebhookEvent']): number {
  return data.revision;
}

export async function firstHour(): Promise<string | undefined> {
  const login = await client.POST('/common/auth/pos-login', {
    body: { username: 'cashier', password: '', cashbox_id: 3, stock_id: 1 },
  });
  if (login.error) return login.error.code;
  const list = await client.GET('/company/trade/sale', { params: { query: { page: 1, 'page-size': 20 } } });
  const newest: number | undefined = list.data?.data[0]?.id;
  const sale = await client.POST('/company/trade/sale', {
    params: { header: { 'Idempotency-Key': 'till-3-1', 'Accept-Language': 'uz-Latn, ru;q=0.5' } },
    body: { cashbox_id: 3, stock_id: 1, currency: 'uzs', products: [{ product_id: 1, sold_quantity: 1 }] },
  });
  const made: components['schemas']['Sale'] | undefined = sale.data;
  const client_ = await client.GET('/company/client/client/{model}', { params: { path: { model: 1 } } });
  const known: components['schemas']['Client'] | undefined = client_.data;
  const version = await client.GET('/admin/system/version/{model}', { params: { path: { model: 1 } } });
  const language = await client.GET('/admin/system/language/{model}', { params: { path: { model: 1 } } });
  const texts: (string | undefined)[] = [version.data?.version, language.data?.image?.['original']?.raw];
  const brand = await client.POST('/company/product/brand', {
    body: { name: 'Artel', image_old_keys: '[]' },
  });
  return [newest, made?.code, known?.full_name, brand.data?.name, ...texts].join();
}
