import { addProduct } from './catalog.ts';
import { picture } from './files.ts';
import { call } from './http.ts';
import { newShop } from './shop.ts';
import { receiveGoods } from './stock.ts';

/** Creates a shop whose books add up: its goods have a goods receipt. A brand of it has an image. */
export async function newTradeWithReceipt(quantity = 10) {
  const shop = await newShop();
  const { director: token, stockId: stock_id } = shop;
  const form = new FormData();
  form.set('name', 'Чай');
  form.set('image_old_keys', '[]');
  form.set('image', await picture('png', 20, 20));
  const made = await call('POST /company/product/brand', { token, form });
  const goods = (await addProduct(token, shop.catalog)).number('id');
  await receiveGoods(token, { stock_id, products: [{ product_id: goods, quantity, cost: 3000 }] });
  return { ...shop, brand: made.number('id'), goods };
}
