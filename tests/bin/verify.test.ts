import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, inject, test } from 'vitest';
import { checkFamily, readBooks } from '#bin/verify/family.ts';
import { Books as BooksOf } from '#bin/verify/frame/books.ts';
import { checkLists, SALES } from '#bin/verify/lists.ts';
import { deskMoneyKey } from '#lib/cash/desk/money.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { clientBalancesKey } from '#lib/clients/client-balances.ts';
import { debts } from '#lib/clients/debt/record.ts';
import { counterKey } from '#lib/records/links/counters.ts';
import { stockLevelKey } from '#lib/stock/stock-level.ts';
import { SUPPLIER_BALANCES } from '#lib/stock/supplier/supplier.ts';
import { dynamo, type Item, tableName } from '#lib/table/client.ts';
import { familyTenant, recordKey } from '#lib/table/keys.ts';
import { goodsReceipts } from '#lib/trade/goods-receipt/record.ts';
import { sales } from '#lib/trade/sale/record.ts';
import { dropInTest, plantInTest } from '#tests/support/books.ts';
import { addProduct } from '#tests/support/catalog.ts';
import { call } from '#tests/support/http.ts';
import { runProgram } from '#tests/support/program.ts';
import { make } from '#tests/support/records.ts';
import { linesOfSale } from '#tests/support/returns.ts';
import { newShop, saleBody, sellOne } from '#tests/support/shop.ts';
import { PURCHASES, receiveGoods } from '#tests/support/stock.ts';
import { lineIdsOf } from '#tests/support/write-offs.ts';

/**
 * Creates a shop with a goods receipt, sales for cash and on debt, and a payment of a part of its payable.
 */
async function newBooks() {
  const shop = await newShop();
  const { director: token, stockId: stock_id, cashboxId: cashbox_id } = shop;
  const productId = (await addProduct(token, shop.catalog)).number('id');
  const supplier_id = await make('/company/stock/supplier', token, { name: 'Ulgurji' });
  const goods = [{ product_id: productId, quantity: 10.5, cost: 3000 }];
  const receiptId = await receiveGoods(token, { stock_id, supplier_id, products: goods });
  await receiveGoods(token, { stock_id, products: goods });
  const draftId = await make(PURCHASES, token, { stock_id, currency: 'uzs', products: goods });
  const sold = await sellOne(shop, productId, 11, 5000);
  const client = { full_name: 'Aziza Karimova', main_phone: '998907654321' };
  const client_id = await make('/company/client/client', token, client);
  const onDebt = saleBody(shop, {
    client_id,
    due_date: new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10),
    products: [{ product_id: productId, sold_quantity: 1 }],
    transactions: [
      { payment_type: 'card', amount: 2000 },
      { payment_type: 'debt', amount: 3000 },
    ],
  });
  const lent = await call('POST /company/trade/sale', { token, json: onDebt });
  expect(lent.status).toBe(200);
  const payment = { cashbox_id, payment_type: 'cash', currency: 'uzs', amount: 20_000 };
  const paid = await call(`POST /company/stock/supplier/${supplier_id}/payment`, { token, json: payment });
  expect(paid.status).toBe(200);
  const saleId = sold.number('id');
  const [[saleLine], [draftLineId]] = await Promise.all([
    linesOfSale(shop, saleId),
    lineIdsOf(token, draftId),
  ]);
  return {
    ...{ ...shop, productId, supplierId: supplier_id, clientId: client_id },
    ...{ receiptId, draftId, draftLineId, saleId, saleLineId: saleLine?.id, lentId: lent.number('id') },
    ...{
      postingId: sold.number('transactions.0.transfer_id'),
      debtId: lent.number('transactions.1.debt_id'),
    },
  };
}

/** Books of all tests here: a test that changes them restores them at its end. */
const books = await newBooks();
const { companyId } = books;
const tenant = familyTenant(companyId);

test('books that add up are counted, and the program ends with 0', async () => {
  const { code, stdout, stderr } = await runProgram('verify', [
    '--family',
    String(companyId),
    '--table',
    tableName(),
  ]);
  expect(stderr).toBe('');
  expect(stdout).toContain(
    `Family ${companyId}: everything adds up. 1 balances, 4 movements, 1 batches, 3 postings, 2 desks`,
  );
  expect(stdout).toContain(
    '10 rows of the cash report, 1 debts, 2 rows of the debts report, 2 operations of suppliers, 2 sales, 2 lines of sales, 0 returns, 2 rows of the sales report, 1 rows of the sales report by payment type, 3 rows of the products report, 1 rows of the VAT report, 3 receipts, 3 lines of receipts, 2 rows of the stock report, 1 rows of the reorder report, 1 suppliers, 1 rows of the payables report, 1 clients',
  );
  expect(code).toBe(0);
});

test('violations are reported with the history of the records, and the program ends with 1', async () => {
  const key = stockLevelKey(tenant, books.stockId, books.productId);
  await plantInTest(key, ({ quantity }) => ({ quantity: Number(quantity) + 1 }));
  const { code, stdout } = await runProgram('verify', [
    '--family',
    String(companyId),
    '--table',
    tableName(),
  ]);
  expect(stdout).toContain('its movements come to 900000000, it says 900000001');
  expect(stdout).toContain("document_type: 'purchase'");
  expect(code).toBe(1);
});

test('without a table it asks which one is meant', async () => {
  const given = ['--family', '1'];
  const { stderr } = await runProgram('verify', given, { TABLE_NAME: undefined }, { cwd: '/tmp' });
  expect(stderr).toContain('Which table? No service runs here (npm start).');
});

test.each(['999999', 'abc', '-1'])(
  'no family of the name %s: one sentence, and the program ends with 2',
  async (family) => {
    const { code, stdout, stderr } = await runProgram('verify', [
      '--table',
      tableName(),
      `--family=${family}`,
    ]);
    const told = `There is no family ${family}: it has the id of its main company.\n`;
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: told });
  },
);

test('days are those of the stage, or of the service that runs here', async () => {
  const args = ['--table', tableName(), '--family', String(companyId)];
  const { stdout } = await runProgram('verify', args, { TIME_ZONE: 'America/New_York' });
  expect(stdout).toContain('Days are those of America/New_York.\n');
  expect(inject('settings')).toHaveProperty('TIME_ZONE', 'Asia/Tashkent');
});

type Books = Awaited<ReturnType<typeof newBooks>>;

const DAMAGE: readonly [string, (books: Books) => string, (books: Books) => Promise<void>][] = [
  [
    'a batch that has lost something',
    () => 'goods: its batches have 899999999, it says 900000000',
    ({ stockId, productId }) =>
      plantInTest(stockLevelKey(tenant, stockId, productId), ({ batches }) => ({
        batches: Object(batches).map((batch: Item) => ({ ...batch, left: Number(batch['left']) - 1 })),
      })),
  ],
  [
    'a movement that is gone',
    ({ saleId, saleLineId }) =>
      `goods: its chain breaks at sale ${saleId}, line ${saleLineId}: 1050000000 is followed by 2100000000`,
    ({ stockId, productId }) =>
      plantInTest(stockLevelKey(tenant, stockId, productId), ({ recent }) => ({
        recent: String(recent).split('\n').toSpliced(1, 1).join('\n'),
      })),
  ],
  [
    'a sale that is gone',
    ({ productId }) => `documents: moved -1100000000 of product ${productId}, and has no such line`,
    ({ saleId }) => dropInTest(recordKey(sales.type, tenant, saleId)),
  ],
  [
    'a payment of a sale that never came to the desk',
    ({ postingId }) => `sales: is paid by posting ${postingId}, which does not exist`,
    ({ postingId }) => dropInTest(recordKey(POSTING, tenant, postingId)),
  ],
  [
    'a cheque that comes to something else than its lines',
    () => 'sales: comes to 5500001, its lines to 5500000',
    ({ saleId }) => plantInTest(recordKey(sales.type, tenant, saleId), () => ({ sold_amount: 5_500_001 })),
  ],
  [
    'a debt that is not the sale’s',
    ({ debtId }) => `sales: is not owed as debt ${debtId} says`,
    ({ debtId }) => plantInTest(recordKey(debts.type, tenant, debtId), () => ({ amount: 1 })),
  ],
  [
    'a completed receipt that is a draft again',
    ({ productId }) => `documents: moved 1050000000 of product ${productId}, and has no such line`,
    ({ receiptId }) =>
      plantInTest(recordKey(goodsReceipts.type, tenant, receiptId), () => ({
        status: 'draft',
        completed_at: null,
      })),
  ],
  [
    'a draft that calls itself completed',
    ({ draftLineId }) => `receipts: line ${draftLineId} moved nothing`,
    ({ draftId }) =>
      plantInTest(recordKey(goodsReceipts.type, tenant, draftId), () => ({
        status: 'completed',
        completed_at: 1,
      })),
  ],
  [
    'a desk that has a sum too many',
    () => 'desks: has 3500001 of cash uzs, its postings come to 3500000',
    ({ cashboxId }) => plantInTest(deskMoneyKey(tenant, cashboxId), () => ({ cash_uzs: 3_500_001 })),
  ],
  [
    'a posting that was computed from another sum than the one before it left',
    () => 'desks: no posting goes on from cash uzs 5500001',
    ({ postingId }) =>
      plantInTest(recordKey(POSTING, tenant, postingId), () => ({
        additional: { balances_after: { cash: { uzs: '55000.01' }, card: { uzs: '0.00' }, bank: {} } },
      })),
  ],
  [
    'a client who owes another sum',
    () => 'clients: owes 1 uzs, what is left of debts is 300000',
    ({ clientId }) => plantInTest(clientBalancesKey(tenant, clientId), () => ({ debt_uzs: 1 })),
  ],
  [
    'a client with bonuses that no cheque left',
    () => 'clients: has bonuses of 5 uzs, cheques leave 0',
    ({ clientId }) =>
      plantInTest(clientBalancesKey(tenant, clientId), () => ({
        bonuses: { uzs: { spendable: 2, waiting: { '2099-01-31': 3 } } },
      })),
  ],
  [
    'a cheque with bonuses that no other passed on to it',
    () => 'sales: has inherited so much more bonuses than returns say: 5',
    ({ saleId }) =>
      plantInTest(recordKey(sales.type, tenant, saleId), () => ({
        bonus_shares: [{ available_on: '2099-01-31', amount: 5, gone_amount: 0 }],
      })),
  ],
  [
    'a supplier who is owed another sum',
    () => 'suppliers: is owed 1 uzs, its operations come to 1150000',
    ({ supplierId }) => plantInTest(counterKey(SUPPLIER_BALANCES, tenant, supplierId), () => ({ uzs: 1 })),
  ],
  [
    'a supplier who remembers an opening balance that none made (Part 5, 5A.3 (2))',
    () => 'suppliers: has not opening null in eur',
    ({ supplierId }) =>
      plantInTest(counterKey(SUPPLIER_BALANCES, tenant, supplierId), () => ({ opening_eur: 7 })),
  ],
];

test.each(DAMAGE)('%s is found', async (_, said, damage) => {
  await damage(books);
  const { violations } = await readBooks(companyId);
  expect(violations.map(({ book, what }) => `${book}: ${what}`)).toContain(said(books));
  for (const { history } of violations) expect((await history()).length).toBeGreaterThan(0);
});

test('what was put right again adds up again', async () => {
  const { violations } = await readBooks(companyId);
  // A short-lived violation may get into a list index.
  expect(violations.filter(({ book }) => book !== 'lists')).toEqual([]);
});

test('what was made while the books were read is no violation', async () => {
  const key = stockLevelKey(tenant, books.stockId, books.productId);
  await plantInTest(key, ({ quantity }) => ({ quantity: Number(quantity) + 1 }));
  const checking = checkFamily(companyId);
  setTimeout(() => {
    const less = { UpdateExpression: 'ADD quantity :less', ExpressionAttributeValues: { ':less': -1 } };
    dynamo.send(new UpdateCommand({ TableName: tableName(), Key: { ...key }, ...less }));
  }, 1000);
  expect((await checking).violations).toEqual([]);
});

/** No test creates as many. */
const NO_SALE = 1_000_000;

test('a list that misses a row, shows one twice, or shows one that does not exist, is found', async () => {
  const { saleId, lentId } = books;
  const faultsOf = async (falsified: (ids: readonly number[]) => readonly number[]) => {
    const reading = new BooksOf(companyId);
    const page: typeof SALES.page = async (actor, query) => {
      const { rows, ...rest } = await SALES.page(actor, query);
      return { ...rest, rows: falsified(rows.map(({ id }) => id)).map((id) => ({ id })) };
    };
    await checkLists(reading, [{ ...SALES, page, fields: [] }]);
    return reading.violations.map(({ what }) => what);
  };
  expect(await faultsOf((ids) => ids)).toEqual([]);
  const missing = `does not show ${lentId}`;
  expect(await faultsOf(() => [saleId])).toEqual(['says 2, but shows 1 rows', missing]);
  expect(await faultsOf((ids) => [...ids, saleId])).toEqual([
    'shows a row twice',
    'says 2, but shows 3 rows',
  ]);
  expect(await faultsOf(() => [saleId, NO_SALE])).toEqual([
    missing,
    `shows ${NO_SALE}, which don't belong in it`,
  ]);
});
