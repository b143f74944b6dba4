import { expect } from 'vitest';
import { addProduct } from './catalog.ts';
import { creditHeaders, creditRequest, sendCredit } from './credit.ts';
import { call } from './http.ts';
import { newShop } from './shop.ts';
import { receiveGoods } from './stock.ts';

/** Creates a shop with a client who bought on credit and whose personal data are complete. */
export async function newClientOnCredit() {
  const shop = await newShop();
  const { director: token, stockId: stock_id, companyId } = shop;
  const product = (await addProduct(token, shop.catalog)).number('id');
  await receiveGoods(token, { stock_id, products: [{ product_id: product, quantity: 10, cost: 3000 }] });
  const sold = await sendCredit(await creditHeaders(companyId), creditRequest(shop, product));
  expect(sold.status).toBe(200);
  const list = await call('GET /company/client/client', { token });
  const id = list.number('data.0.id');
  const json = {
    ...{ full_name: 'Алишер Каримов', main_phone: '998901112233', additional_phones: ['998904445566'] },
    ...{ address: 'Самарқанд', birth_date: '1990-02-03', languages: [], socials: { telegram: '@alisher' } },
  };
  expect(await call(`PUT /company/client/client/${id}`, { token, json })).toMatchObject({ status: 200 });
  return { ...shop, client: id };
}

/** Personal data that identify the client. */
export const PERSONAL = [
  'Алишер',
  'алишер',
  '998901112233',
  '998904445566',
  '12345678901234',
  'Самарқанд',
  '@alisher',
];
