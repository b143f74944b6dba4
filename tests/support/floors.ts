import { randomUUID } from 'node:crypto';
import { workbookOf } from './files.ts';
import { call, formOf } from './http.ts';
import { make } from './records.ts';
import { cardOf, PRODUCTS, repricingRow, sendBatch } from './repricing.ts';
import { linesOfSale, sellFor } from './returns.ts';
import { newGoods, type Shop, saleBody } from './shop.ts';

/** Shop with the other records needed by calls that price goods. */
export interface PricingShop extends Shop {
  /** Headers of a credit system that may sell there. */
  readonly credit: Readonly<Record<string, string>>;
}

/** Product to be priced, and the cost of its newest goods. */
export interface PricedProduct {
  readonly id: number;
  readonly cost: number;
  readonly currency: 'uzs' | 'usd';
}

/** Way to set or request a price: returns the errors of each rejected field; nothing if accepted. */
export type Door = (shop: PricingShop, priced: PricedProduct, price: number) => Promise<object>;

const SELL = 'POST /company/trade/sale';

/** Returns the card of a product as it is, to be sent back. */
async function bodyOf(shop: Shop, id: number): Promise<object> {
  const { images_list: _, images_list_thumbs: __, ...card } = Object(await cardOf(shop, id));
  return card;
}

async function refusalOf(to: string, token: string, json: object): Promise<object> {
  const { status, body } = await call(to, { token, json });
  return status === 200 ? {} : Object(body).errors;
}

async function importRow(shop: Shop, id: number, price: number): Promise<object> {
  const { barcode, sale_currency } = Object(await cardOf(shop, id));
  const header = ['name', 'category', 'brand', 'unit', 'barcode', 'plu', 'price', 'currency'];
  const file = await workbookOf([header, [null, null, null, null, barcode, null, price, sale_currency]]);
  const reply = await call(`POST ${PRODUCTS}/import`, {
    token: shop.director,
    form: formOf({ file, mode: 'update' }),
  });
  return reply.status === 200 ? {} : Object(reply.body).errors;
}

/** Doors that set the price of a product. */
export const SETTING = {
  card: async (shop, { id }, price) =>
    refusalOf(`PUT ${PRODUCTS}/${id}`, shop.director, { ...(await bodyOf(shop, id)), sale_price: price }),
  sync: async (shop, { id }, price) => {
    const { barcode } = Object(await cardOf(shop, id));
    const json = { products: [{ external_id: `${id}`, barcode, sale_price: price }] };
    const { body } = await call(`PUT ${PRODUCTS}/sync`, { token: shop.director, json });
    return Object(body).data[0].errors ?? {};
  },
  import: async (shop, { id }, price) => importRow(shop, id, price),
} as const satisfies Record<string, Door>;

/** Creates a repricing, and returns the reasons for skipping the row, if it was skipped. */
export async function reasonsToSkip(shop: Shop, id: number, price: number): Promise<unknown> {
  const other = await newGoods(shop, []);
  const rows = [repricingRow(id, { sale_price: price }), repricingRow(other)];
  const { body } = await sendBatch(shop, rows);
  return Object(body).skipped_products.map(({ reason }: { reason: string }) => reason);
}

/** Creates a goods receipt of a piece that sets the price; returns the errors. */
export async function receiptErrors(shop: Shop, { id, cost, currency }: PricedProduct, sale_price: number) {
  const products = [{ product_id: id, quantity: 1, cost, sale_price }];
  const json = { stock_id: shop.stockId, currency, products };
  return refusalOf('POST /company/trade/purchase', shop.director, json);
}

function paying(amount: number) {
  return { transactions: amount > 0 ? [{ payment_type: 'cash', amount }] : [] };
}

function newBundle({ director }: Shop, id: number): Promise<number> {
  const products = [{ product_id: id, quantity: 1 }];
  return make('/company/product/bundle', director, { name: 'Set', price: 1000, products });
}

/** Ways to request a price of goods of 1 000 sums, each with its rejected field. */
export const ASKING: Readonly<Record<string, { readonly field: string; readonly door: Door }>> = {
  sale: {
    field: 'products.0.price',
    door: (shop, { id: product_id }, price) => {
      const products = [{ product_id, sold_quantity: 1, price }];
      return refusalOf(SELL, shop.director, saleBody(shop, { products, ...paying(price) }));
    },
  },
  'sale with a discount': {
    field: 'products.0.discount',
    door: (shop, { id: product_id }, price) => {
      const products = [{ product_id, sold_quantity: 1, discount: discountTo(price) }];
      return refusalOf(SELL, shop.director, saleBody(shop, { products, ...paying(price) }));
    },
  },
  'sale of a bundle': {
    field: 'bundles.0.price',
    door: async (shop, { id }, price) => {
      const bundles = [{ bundle_id: await newBundle(shop, id), price }];
      return refusalOf(SELL, shop.director, saleBody(shop, { bundles, ...paying(price) }));
    },
  },
  hold: {
    field: 'bundles.0.price',
    door: async (shop, { id }, price) => {
      const { cashboxId: cashbox_id, stockId: stock_id } = shop;
      const bundles = [{ bundle_id: await newBundle(shop, id), price }];
      const json = { cashbox_id, stock_id, cheque: 1, full_name: 'Ali', bundles };
      return refusalOf('POST /company/trade/hold', shop.director, json);
    },
  },
  'add-products': {
    field: 'bundles.0.price',
    door: async (shop, { id }, price) => {
      const { cashboxId: cashbox_id, stockId: stock_id, director } = shop;
      const product_id = await newGoods(shop, [{ quantity: 1, cost: 1 }]);
      const goods = { products: [{ product_id, quantity: 1 }] };
      const hold = { cashbox_id, stock_id, cheque: 1, full_name: 'Ali', ...goods };
      const held = await make('/company/trade/hold', director, hold);
      const bundles = [{ bundle_id: await newBundle(shop, id), price }];
      const json = { cashbox_id, cheque: 1, bundles };
      return refusalOf(`PATCH /company/trade/hold/${held}/add-products`, director, json);
    },
  },
  exchange: {
    field: 'products.0.price',
    door: async (shop, { id: product_id }, price) => {
      const other = await newGoods(shop, [{ quantity: 1, cost: 1 }], { sale_price: 1 });
      const sale = await sellFor(shop, { products: [{ product_id: other, sold_quantity: 1 }], ...paying(1) });
      const [line] = await linesOfSale(shop, sale);
      const { companyId: company_id, cashboxId: cashbox_id, stockId: stock_id } = shop;
      const json = {
        ...{ company_id, cashbox_id, stock_id, currency: 'uzs' },
        returned_products: [{ id: line?.id, reason_type: 'not_match', returned_quantity: 1 }],
        products: [{ product_id, sold_quantity: 1, price }],
        ...paying(Math.round((price - 1) * 100) / 100),
      };
      return refusalOf(`${SELL}/${sale}/exchange`, shop.director, json);
    },
  },
  'credit sale': {
    field: 'products.0.price',
    door: async (shop, { id: product_id }, price) => {
      const { stockId: stock_id, cashboxId: cashbox_id, credit: headers } = shop;
      const json = {
        ...{ external_id: randomUUID(), agreement_number: 'K', agreement_date: '2026-10-01', months: 12 },
        ...{ initial_payment: 0, stock_id, cashbox_id, currency: 'uzs' },
        client: { full_name: 'Али', phone: '998901112233', pinfl: null },
        products: [{ product_id, quantity: 1, price }],
      };
      const { status, body } = await call('POST /external/credit/trade-sale/create', { headers, json });
      return status === 200 ? {} : Object(body).errors;
    },
  },
};

function discountTo(price: number): number {
  return Math.round((1000 - price) * 100) / 100;
}
