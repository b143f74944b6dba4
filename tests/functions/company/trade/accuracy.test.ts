import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { renderInstant } from '#lib/values/time.ts';
import { newKey, uuidsOf } from '#tests/support/external.ts';
import { call } from '#tests/support/http.ts';
import { make } from '#tests/support/records.ts';
import { linesOfSale, sellFor } from '#tests/support/returns.ts';
import { newGoods, newShop, type Shop, saleBody } from '#tests/support/shop.ts';
import { newWarehouse, stockLevelsOf } from '#tests/support/stock.ts';

const TOO_MANY = [translate('ru', { key: 'validation.too_many_decimals', with: { max: 0 } })];

/** A shop, and a product of it by the piece: 10.5 pieces at 1 000 sums. */
interface Measured extends Shop {
  readonly id: number;
}

/** Call with a quantity: its path in the body, and the errors of the call. */
interface Door {
  readonly path: string;
  readonly send: (shop: Measured, quantity: number) => Promise<object>;
}

async function refusalOf(to: string, token: string, json: object, headers = {}): Promise<object> {
  const { status, body } = await call(to, { ...(token !== '' && { token }), json, headers });
  return status === 200 ? {} : Object(body).errors;
}

function paying(quantity: number) {
  return { transactions: [{ payment_type: 'cash', amount: quantity * 1000 }] };
}

/** Sells whole pieces and returns the sale with its first line. */
async function soldBefore(shop: Measured, product_id: number) {
  const sale = await sellFor(shop, { products: [{ product_id, sold_quantity: 2 }], ...paying(2) });
  const [line] = await linesOfSale(shop, sale);
  return { sale, line: Number(line?.id) };
}

async function holdOf({ cashboxId, stockId, director }: Measured, product_id: number): Promise<number> {
  const goods = { products: [{ product_id, quantity: 1 }] };
  const json = { cashbox_id: cashboxId, stock_id: stockId, cheque: 1, full_name: 'Ali', ...goods };
  return make('/company/trade/hold', director, json);
}

function swapOf(shop: Measured, line: number, returned_quantity: number, product_id: number, sold: number) {
  const { companyId: company_id, cashboxId: cashbox_id, stockId: stock_id } = shop;
  return {
    ...{ company_id, cashbox_id, stock_id, currency: 'uzs' },
    returned_products: [{ id: line, reason_type: 'not_match', returned_quantity }],
    products: [{ product_id, sold_quantity: sold }],
    transactions: sold === returned_quantity ? [] : [{ payment_type: 'cash', amount: 500 }],
  };
}

const DOORS: Readonly<Record<string, Door>> = {
  receipt: {
    path: 'products.0.quantity',
    send: ({ director, stockId: stock_id, id: product_id }, quantity) => {
      const json = { stock_id, currency: 'uzs', products: [{ product_id, quantity, cost: 1 }] };
      return refusalOf('POST /company/trade/purchase', director, json);
    },
  },
  sale: {
    path: 'products.0.sold_quantity',
    send: (shop, sold_quantity) => {
      const json = saleBody(shop, {
        products: [{ product_id: shop.id, sold_quantity }],
        ...paying(sold_quantity),
      });
      return refusalOf('POST /company/trade/sale', shop.director, json);
    },
  },
  hold: {
    path: 'products.0.quantity',
    send: ({ director, cashboxId: cashbox_id, stockId: stock_id, id: product_id }, quantity) => {
      const goods = { products: [{ product_id, quantity }] };
      const json = { cashbox_id, stock_id, cheque: 1, full_name: 'Ali', ...goods };
      return refusalOf('POST /company/trade/hold', director, json);
    },
  },
  'add-products': {
    path: 'products.0.quantity',
    send: async (shop, quantity) => {
      const hold = await holdOf(shop, await newGoods(shop, [{ quantity: 1, cost: 1 }]));
      const json = { cashbox_id: shop.cashboxId, cheque: 1, products: [{ product_id: shop.id, quantity }] };
      return refusalOf(`PATCH /company/trade/hold/${hold}/add-products`, shop.director, json);
    },
  },
  'update-products': {
    path: 'products.0.quantity',
    send: async (shop, quantity) => {
      const hold = await holdOf(shop, shop.id);
      const json = { products: [{ product_id: shop.id, quantity }] };
      return refusalOf(`PATCH /company/trade/hold/${hold}/update-products`, shop.director, json);
    },
  },
  return: {
    path: 'products.0.returned_quantity',
    send: async (shop, returned_quantity) => {
      const { sale, line } = await soldBefore(shop, shop.id);
      const products = [{ id: line, reason_type: 'defective', returned_quantity }];
      const json = { products, ...paying(returned_quantity) };
      return refusalOf(`PATCH /company/trade/sale/${sale}/return`, shop.director, json);
    },
  },
  'exchange, back': {
    path: 'returned_products.0.returned_quantity',
    send: async (shop, returned_quantity) => {
      const { sale, line } = await soldBefore(shop, shop.id);
      const json = swapOf(
        shop,
        line,
        returned_quantity,
        await newGoods(shop, [{ quantity: 9, cost: 1 }], { sale_price: returned_quantity * 1000 }),
        1,
      );
      return refusalOf(`POST /company/trade/sale/${sale}/exchange`, shop.director, {
        ...json,
        transactions: [],
      });
    },
  },
  'exchange, out': {
    path: 'products.0.sold_quantity',
    send: async (shop, quantity) => {
      const other = await newGoods(shop, [{ quantity: 9, cost: 1 }], { sale_price: 1000 });
      const { sale, line } = await soldBefore(shop, other);
      const json = swapOf(shop, line, 1, shop.id, quantity);
      return refusalOf(`POST /company/trade/sale/${sale}/exchange`, shop.director, json);
    },
  },
  'credit sale': {
    path: 'products.0.quantity',
    send: async ({ companyId, stockId: stock_id, cashboxId: cashbox_id, id: product_id }, quantity) => {
      const { key } = await newKey({ kind: 'external', company_ids: [companyId] });
      const { primary_uuid } = await uuidsOf(companyId);
      const headers = { 'External-System-Secret-Key': key, 'Company-Primary-Uuid': primary_uuid };
      const json = {
        ...{ external_id: randomUUID(), agreement_number: 'K', agreement_date: '2026-10-01', months: 12 },
        ...{ initial_payment: 0, stock_id, cashbox_id, currency: 'uzs' },
        client: { full_name: 'Али', phone: '998901112233', pinfl: null },
        products: [{ product_id, quantity, price: 1000 }],
      };
      return refusalOf('POST /external/credit/trade-sale/create', '', json, headers);
    },
  },
  transfer: {
    path: 'products.0.quantity',
    send: async ({ director, stockId: from_stock_id, id: product_id }, quantity) => {
      const to_stock_id = await newWarehouse(director, randomUUID());
      const json = { from_stock_id, to_stock_id, products: [{ product_id, quantity }] };
      return refusalOf('POST /company/trade/transfer', director, json);
    },
  },
  'write-off': {
    path: 'products.0.quantity',
    send: async ({ director, stockId, id: product_id }, quantity) => {
      const [balance] = await stockLevelsOf(director, `filter[product_id]=${product_id}`);
      const source_product_id = balance?.batches[0]?.id;
      const products = [{ product_id, source_product_id, quantity, reason: 'common_loss' }];
      const json = { source_type: 'stock', source_id: stockId, name: 'Бой', products };
      return refusalOf('POST /company/trade/writeoff', director, json);
    },
  },
  count: {
    path: 'products_tmp.0.actual_quantity',
    send: async ({ director, stockId: stock_id, id }, actual_quantity) => {
      const [balance] = await stockLevelsOf(director, `filter[product_id]=${id}`);
      const count = await make('/company/trade/inventory', director, { stock_id, type: 'full' });
      const products_tmp = [{ stock_product_id: balance?.id, actual_quantity }];
      const to = `PATCH /company/trade/inventory/${count}/add-products`;
      const refused = await refusalOf(to, director, { products_tmp });
      await call(`PATCH /company/trade/inventory/${count}/cancel`, { token: director });
      return refused;
    },
  },
  'bundle’s card': {
    path: 'products.0.quantity',
    send: ({ director, id: product_id }, quantity) => {
      const json = { name: 'Set', price: 1, products: [{ product_id, quantity }] };
      return refusalOf('POST /company/product/bundle', director, json);
    },
  },
};

const TAKING = Object.entries(DOORS).filter(
  ([name]) =>
    !['receipt', 'return', 'exchange, back', 'count', 'bundle’s card', 'update-products'].includes(name),
);

async function newMeasured(is_accuracy_checked: boolean): Promise<Measured> {
  const shop = await newShop();
  const json = { sale_settings: { is_accuracy_checked } };
  expect(await call('PUT /company/company/settings', { token: shop.director, json })).toMatchObject({
    status: 200,
  });
  return { ...shop, id: await newPieces(shop) };
}

function newPieces(shop: Shop): Promise<number> {
  return newGoods(shop, [{ quantity: 10.5, cost: 1 }], { sale_price: 1000 });
}

test.each(Object.entries(DOORS))(
  'more digits than the unit has are 422 on the line of a %s, if the family wants that (Contract 9.112)',
  async (_, { path, send }) => {
    const [strict, free] = [await newMeasured(true), await newMeasured(false)];
    expect(await send(strict, 1.5)).toEqual({ [path]: TOO_MANY });
    expect(await send(strict, 1)).not.toHaveProperty([path]);
    expect(await send(free, 1.5)).toEqual({});
  },
);

test.each(TAKING)('a %s that takes a whole remainder passes (Contract 9.112)', async (_, { send }) => {
  expect(await send(await newMeasured(true), 10.5)).not.toHaveProperty(['products.0.quantity']);
});

test('an offline sale passes, and so does the remainder of a hold or a sale (Contract 9.112)', async () => {
  const shop = await newMeasured(false);
  const { id: product_id, director: token } = shop;
  const hold_id = await make('/company/trade/hold', token, {
    ...{ cashbox_id: shop.cashboxId, stock_id: shop.stockId, cheque: 1, full_name: 'Ali' },
    products: [{ product_id, quantity: 1.5 }],
  });
  await call('PUT /company/company/settings', {
    token,
    json: { sale_settings: { is_accuracy_checked: true } },
  });
  const sell = (sold_quantity: number, given: object = {}) => {
    const products = [{ product_id, sold_quantity, price: 1000 }];
    return call('POST /company/trade/sale', {
      token,
      json: saleBody(shop, { products, ...paying(sold_quantity), ...given }),
    });
  };
  expect(await sell(0.5)).toMatchObject({ status: 422 });
  expect(await sell(0.5, { sold_at: renderInstant(Date.now() - 60_000) })).toMatchObject({ status: 200 });
  const held = await sell(1.5, { hold_id });
  expect(held).toMatchObject({ status: 200 });
  const [line] = await linesOfSale(shop, held.number('id'));
  const back = (returned_quantity: number) =>
    call(`PATCH /company/trade/sale/${held.number('id')}/return`, {
      token,
      json: {
        products: [{ id: line?.id, reason_type: 'defective', returned_quantity }],
        ...paying(returned_quantity),
      },
    });
  expect((await back(0.5)).status).toBe(422);
  expect((await back(1)).status).toBe(200);
  expect((await back(0.5)).status).toBe(200);
});
