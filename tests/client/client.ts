import createClient from 'openapi-fetch';
import type { components, paths } from './generated/api.d.ts';

/*
 * What an integrator would write with a generated client: sign in, find goods, sell once although the call is
 * repeated, read the cheque, and match on the code of a refusal.
 */

declare const process: { readonly argv: readonly string[] };

const [, , baseUrl = '', username = '', password = ''] = process.argv;

const client = createClient<paths>({ baseUrl });

const signedIn = await client.POST('/common/auth/login', { body: { username, password } });
const { token } = required(signedIn.data);
client.use({
  onRequest: ({ request }) => {
    request.headers.set('authorization', `Bearer ${token}`);
    return request;
  },
});

const page = { 'page-size': 20 } as const;
const desks = await client.GET('/company/cashbox/cashbox', {
  params: { query: { ...page, 'filter[type]': 'sale', 'sort[]': ['id'] } },
});
const desk = required(required(desks.data).data[0]);
// A desk sells goods of its own company.
const rows = await client.GET('/company/stock/product', {
  params: { query: { ...page, 'with[]': ['product'], 'filter[company_id]': desk.company_id } },
});
const row = required(required(rows.data).data.find(({ quantity }) => quantity >= 1));
const card = await client.GET('/company/product/product/{model}', {
  params: { path: { model: row.product_id } },
});
const price: number = required(card.data).sale_price;

const body: components['schemas']['SaleInput'] = {
  cashbox_id: desk.id,
  stock_id: row.stock_id,
  currency: 'uzs',
  products: [{ product_id: row.product_id, sold_quantity: 1 }],
  transactions: [{ payment_type: 'cash', amount: price }],
};
const header = { 'Idempotency-Key': 'first-sale-of-the-generated-client' };
const sold = await client.POST('/company/trade/sale', { params: { header }, body });
const again = await client.POST('/company/trade/sale', { params: { header }, body });
const cheque = required(sold.data);
same(required(again.data).id, cheque.id);
same(again.response.headers.get('idempotent-replayed'), 'true');

const read = await client.GET('/company/trade/sale/{model}', { params: { path: { model: cheque.id } } });
same(required(read.data).sold_amount, price);
same(required(read.data).products[0]?.product_id, row.product_id);

const wrong = await client.POST('/company/trade/sale', {
  body: { ...body, transactions: [{ payment_type: 'cash', amount: price + 1 }] },
});
const code: string | undefined = wrong.error?.code;
same(code, 'sale.payments_differ');

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The service gave nothing');
  return value;
}

function same(found: unknown, wanted: unknown): void {
  if (found !== wanted) throw new Error(`Found ${String(found)} instead of ${String(wanted)}`);
}
