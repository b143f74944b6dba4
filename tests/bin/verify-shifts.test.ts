import { expect, test } from 'vitest';
import { readBooks } from '#bin/verify/family.ts';
import { deskMoneyKey } from '#lib/cash/desk/money.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import type { Item } from '#lib/table/client.ts';
import { familyTenant, recordKey, type Tenant } from '#lib/table/keys.ts';
import { sales } from '#lib/trade/sale/record.ts';
import { shifts } from '#lib/trade/shift/record.ts';
import { plant, plantInTest, violationsOf } from '#tests/support/books.ts';
import { addClient } from '#tests/support/clients.ts';
import { lend, newWater, payDebt, refundDebt } from '#tests/support/debts.ts';
import { byWay, newDepositor, sellWater, takeDeposit } from '#tests/support/deposits.ts';
import { call } from '#tests/support/http.ts';
import { cancelOf, newIdOf, newTill, operate, postingsAt, type Till } from '#tests/support/operations.ts';
import { make } from '#tests/support/records.ts';
import { linesOfSale, sendReturn } from '#tests/support/returns.ts';
import { beginShift, enableShifts, endShift } from '#tests/support/shifts.ts';
import { sellOne } from '#tests/support/shop.ts';

const CASH = { payment_type: 'cash', currency: 'uzs' } as const;

/**
 * Creates a till with a shift that was closed with a shortage and a collection, which came back in the next
 * one; that is open, with an income that was canceled.
 */
async function newShifts() {
  const till = await newTill(1000);
  await enableShifts(till);
  const first = await beginShift(till, { opening_balances: [{ ...CASH, amount: 200 }] });
  const spent = newIdOf(await operate(till, 'outcome', 50));
  const actuals = [{ ...CASH, amount: 1100 }];
  await endShift(till, first, { actuals, closing_comment: 'Нет', closing_action: 'transfer_all' });
  await beginShift(till);
  const postings = await postingsAt(till, till.cashboxId);
  const postingOf = (source: string) => postings.findLast((each) => each['source_type'] === source)?.id ?? 0;
  expect((await cancelOf(till, postingOf('collection'))).status).toBe(200);
  const income = await operate(till, 'income', 30);
  expect((await cancelOf(till, Object(income.body).id)).status).toBe(200);
  await operate(till, 'income', 5);
  return { ...till, first, spent, difference: postingOf('shift') };
}

const ended = await newShifts();

test('shifts, late money and today’s sums add up', async () => {
  const { counts, violations } = await readBooks(ended.companyId);
  expect(violations).toEqual([]);
  expect(counts.get('shifts')).toBe(2);
});

type Shifts = Awaited<ReturnType<typeof newShifts>>;

const DAMAGE: readonly [string, string, (till: Shifts, tenant: Tenant) => Promise<void>][] = [
  [
    'an open shift that counted a posting too little',
    'desks: reason income cash_uzs, amount is 0, its postings say 500',
    ({ cashboxId }, tenant) =>
      plantInTest(deskMoneyKey(tenant, cashboxId), ({ shift }) => ({
        shift: { ...Object(shift), tallies: { 'collection income cash_uzs': [1, 110_000] } },
      })),
  ],
  [
    'a closed shift that says something else than its postings',
    'shifts: reason outcome cash_uzs, amount is 5000, its postings say 5001',
    ({ spent }, tenant) => plantInTest(recordKey(POSTING, tenant, spent), () => ({ amount: 5001 })),
  ],
  [
    'a closed shift whose rows don’t add up',
    'shifts: left of cash uzs does not follow',
    ({ first }, tenant) =>
      plantInTest(recordKey(shifts.type, tenant, first), ({ summary }) => {
        const { rows, ...rest } = Object(summary);
        return { summary: { ...rest, rows: rows.map((row: Item) => ({ ...row, left: 1 })) } };
      }),
  ],
  [
    'a desk whose day counted a posting twice',
    'desks: says 500 of income cash_uzs',
    ({ cashboxId }, tenant) =>
      plantInTest(deskMoneyKey(tenant, cashboxId), ({ day }) => ({
        day: { ...Object(day), income: { cash_uzs: 500 } },
      })),
  ],
  [
    'a difference of a shift that is not there',
    'documents: is of shift 7, which does not tell of it',
    ({ difference }, tenant) => plantInTest(recordKey(POSTING, tenant, difference), () => ({ source_id: 7 })),
  ],
];

test.each(DAMAGE)('%s is found', async (_, said, damage) => {
  await damage(ended, familyTenant(ended.companyId));
  expect((await violationsOf(ended.companyId)).some((fault) => fault.startsWith(said))).toBe(true);
});

const HOUR_MS = 3_600_000;

/**
 * Creates a shift of an hour ago to now with a sale of before it, and in it a sale for cash, one on debt half
 * an hour ago, a payment of that debt, and a return without money.
 */
async function newCountedShift() {
  const till = await newTill();
  const tenant = familyTenant(till.companyId);
  const [water, client] = await Promise.all([newWater(till), addClient(till)]);
  const early = await lend(till, { client, water, amount: 5 });
  await enableShifts(till);
  const shift = await beginShift(till);
  expect((await sellOne(till, water, 3, 1)).status).toBe(200);
  const owed = await lend(till, { client, water, amount: 20 });
  await payDebt(till, client, { cash: 7 });
  const [line] = await linesOfSale(till, owed);
  const back = [{ id: line?.id, reason_type: 'defective', returned_quantity: 2 }];
  expect((await sendReturn(till, owed, { products: back })).status).toBe(200);
  await endShift(till, shift);
  const ago = (ms: number) => ({ created_at: Date.now() - ms });
  await plant(recordKey(sales.type, tenant, early), ago(2 * HOUR_MS));
  await plant(recordKey(sales.type, tenant, owed), ago(HOUR_MS / 2));
  await plant(recordKey(shifts.type, tenant, shift), { opened_at: Date.now() - HOUR_MS });
  return { ...till, shift, owed };
}

/** Returns violations of shifts: test support's goods have no goods receipt. */
async function countFaultsOf(till: Till): Promise<string[]> {
  return (await violationsOf(till.companyId)).filter((fault) => fault.startsWith('shifts'));
}

const counting = await newCountedShift();

test('what a shift counted is what its documents come to', async () => {
  expect(await countFaultsOf(counting)).toEqual([]);
});

const LENT = { currency: 'uzs', given: 2000, repaid: 700, refunded: 0 };

test.each([
  [{ checks_count: 1 }, 'shifts: says 1 for checks_count, its documents come to 2'],
  [{ checks_count: 3 }, 'shifts: says 3 for checks_count, its documents come to 2'],
  [{ returns_count: 2 }, 'shifts: says 2 for returns_count, its documents come to 0 to 1'],
  [{ debts: [] }, 'shifts: says 0 for uzs given, its documents come to 2000'],
  [{ debts: [{ ...LENT, given: 2500 }] }, 'shifts: says 2500 for uzs given, its documents come to 2000'],
  [{ debts: [{ ...LENT, repaid: 800 }] }, 'shifts: says 800 for uzs repaid, its documents come to 700'],
  [{ debts: [{ ...LENT, refunded: 1 }] }, 'shifts: says 1 for uzs refunded, its documents come to 0'],
])('a closed shift that counted otherwise is found: %j', async (counted, said) => {
  const place = recordKey(shifts.type, familyTenant(counting.companyId), counting.shift);
  await plantInTest(place, ({ summary }) => ({ summary: { ...Object(summary), ...counted } }));
  expect(await countFaultsOf(counting)).toContain(said);
});

/**
 * Creates a shift of half an hour ago to now, in which money came into a deposit and went out of it, and a
 * sale and a debt were paid from it, which came back in part.
 */
async function newShiftOfDeposits() {
  const shop = await newDepositor(0);
  await enableShifts(shop);
  const shift = await beginShift(shop);
  await takeDeposit(shop, shop.client, 100);
  await takeDeposit(shop, shop.client, 10, { type: 'outcome' });
  const sale = (await sellWater(shop, 60, { deposit: 50, cash: 10 })).number('id');
  const [line] = await linesOfSale(shop, sale);
  const products = [{ id: line?.id, reason_type: 'not_match', returned_quantity: 20 }];
  expect((await sendReturn(shop, sale, { products, transactions: byWay({ deposit: 20 }) })).status).toBe(200);
  await sellWater(shop, 40, { debt: 40 });
  const [first] = await payDebt(shop, shop.client, { deposit: 30, cash: 5 });
  expect((await refundDebt(shop, first?.id ?? 0)).status).toBe(200);
  await payDebt(shop, shop.client, { deposit: 3 });
  await endShift(shop, shift);
  return { ...shop, shift };
}

const deposited = await newShiftOfDeposits();

test('a shift in which debts were paid from deposits adds up (Part 5, 5A.6, 2 and 5)', async () => {
  const faults = await violationsOf(deposited.companyId);
  expect(faults.filter((fault) => fault.startsWith('shifts'))).toEqual([]);
});

const SUMS = { currency: 'uzs', received: 10_000, paid_out: 1000, spent: 8300, returned: 5000 };

test.each([
  ['received', 'its documents come to 10000'],
  ['paid_out', 'its documents come to 1000'],
  ['spent', 'its documents come to 5000 to 8300'],
  ['returned', 'its documents come to 0 to 5000'],
])('a closed shift that says another sum of deposits is found: %s (Part 5, 5A.6, 5)', async (name, come) => {
  const place = recordKey(shifts.type, familyTenant(deposited.companyId), deposited.shift);
  await plantInTest(place, ({ summary }) => {
    expect(Object(summary).deposits).toEqual([SUMS]);
    return { summary: { ...Object(summary), deposits: [{ ...SUMS, [name]: 12_345 }] } };
  });
  const faults = await violationsOf(deposited.companyId);
  expect(faults).toContain(`shifts: says 12345 for uzs ${name}, ${come}`);
});

test('what came without money at an instant of the closing may be of the shift or of the next', async () => {
  const till = await newCountedShift();
  const tenant = familyTenant(till.companyId);
  await plant(recordKey(sales.type, tenant, till.owed), { created_at: Date.now() });
  expect(await countFaultsOf(till)).toEqual([]);
});

test('an exchange without money counts at the desk that it is made at', async () => {
  const till = await newTill();
  const { director: token, companyId, stockId } = till;
  const water = await newWater(till);
  const sold = await sellOne(till, water, 3, 1);
  expect(sold.status).toBe(200);
  const sale = sold.number('id');
  const [line] = await linesOfSale(till, sale);
  await enableShifts(till);
  const cashbox_id = await make('/company/cashbox/cashbox', token, { name: 'Вторая', type: 'sale' });
  const shift = await beginShift({ ...till, cashboxId: cashbox_id });
  const json = {
    ...{ cashbox_id, stock_id: stockId, company_id: companyId, currency: 'uzs' },
    returned_products: [{ id: line?.id, reason_type: 'not_match', returned_quantity: 1 }],
    products: [{ product_id: water, sold_quantity: 1 }],
  };
  expect((await call(`POST /company/trade/sale/${sale}/exchange`, { token, json })).status).toBe(200);
  await endShift(till, shift);
  expect((await violationsOf(till.companyId)).filter((fault) => fault.startsWith('shifts'))).toEqual([]);
});
