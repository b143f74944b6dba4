import { expect, test } from 'vitest';
import { notification } from '#bench/chaos/billing.ts';
import { creditSale } from '#bench/chaos/credit.ts';
import { changing, credentialsOf, posting } from '#bench/chaos/operation.ts';
import { BOOKS, tracesIn } from '#bench/chaos/traces.ts';
import { randomFrom } from '#bench/support/random.ts';
import { isSigned, SIGNATURE } from '#lib/auth/signature.ts';
import { TARIFF_ENTRY } from '#lib/billing/entry.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { debts } from '#lib/clients/debt/record.ts';
import { deposits } from '#lib/clients/deposit/record.ts';
import { supplierOperations } from '#lib/stock/supplier/operation.ts';
import { sales } from '#lib/trade/sale/record.ts';
import { SALE_TENDER } from '#lib/trade/sale-tender/record.ts';
import { chaosScene as scene } from './scene.ts';

const task = { scene, name: 'client-1-1', chance: randomFrom(1, 'plays') };
const payment = { external_id: '7-a', transaction_id: 'T', amount: 1000 };

async function tracesOf(type: string, item: object): Promise<string[]> {
  const book = BOOKS.find((each) => each.type === type);
  return book ? (await tracesIn(book, scene.familyId, { id: 5, ...item })).map(({ trace }) => trace) : [];
}

test('a sale on credit is sent by the credit system, without a token, and its parts are the total', () => {
  const { step, initial, rest } = creditSale(task);
  expect(credentialsOf(step)).toEqual({ headers: scene.creditSystem });
  const { products }: { products: { price: number; quantity: number }[] } = Object(step.json);
  const total = products.reduce((sum, { price, quantity }) => sum + Math.round(price * quantity * 100), 0);
  expect(Math.round((initial + rest) * 100)).toBe(total);
});

test('other calls are sent by the director, with the headers given', () => {
  const step = posting('sale', task, '/company/trade/sale', {});
  const headers = { 'idempotency-key': 'client-1-1' };
  expect(credentialsOf({ ...step, scene: { ...scene, token: 'director' } }, headers)).toEqual({
    token: 'director',
    headers,
  });
});

test('a sale on credit is traced by the number of its agreement', async () => {
  const source_data = {
    ...{ external_id: 'client-1-1', agreement_number: 'client-1-1', agreement_date: '2026-10-01' },
    ...{ months: 12, system: 'Bank', client: { full_name: 'A', phone: '998935550001', pinfl: null } },
  };
  const sale = { status: 'completed', comment: null, source_data };
  expect(await tracesOf(sales.type, sale)).toEqual(['client-1-1']);
  expect(await tracesOf(sales.type, { ...sale, comment: 'client-1-2', source_data: {} })).toEqual([
    'client-1-2',
  ]);
});

test('a deposit is traced by its comment, a credited payment by its id, and a charge is nobody’s', async () => {
  expect(await tracesOf(TARIFF_ENTRY, { comment: 'client-1-1', external_id: null })).toEqual(['client-1-1']);
  expect(await tracesOf(TARIFF_ENTRY, { comment: null, external_id: '7-a' })).toEqual(['7-a']);
  expect(await tracesOf(TARIFF_ENTRY, { comment: null, external_id: null })).toEqual([]);
});

test('a notification is signed as it is sent, and traced by its payment', () => {
  const step = notification(task, payment);
  expect(isSigned(JSON.stringify(step.json), credentialsOf(step).headers?.[SIGNATURE])).toBe(true);
  expect(step.trace).toBe('7-a');
});

test('a reversed payment of a supplier is traced once each way, and an adjustment by its operation', async () => {
  const [paid, reversed] = ['client-1-1', 'client-1-1-reverse'];
  const posting = { type: 'outcome', source_type: 'supplier', comment: paid };
  expect(await tracesOf(POSTING, posting)).toEqual([paid]);
  const back = { ...posting, type: 'income', comment: reversed, reversal_of_id: 4 };
  expect(await tracesOf(POSTING, back)).not.toContain(reversed);
  const operation = { type: 'payment', source_type: 'transfer', comment: null, reversal_of_id: null };
  expect(await tracesOf(supplierOperations.type, operation)).toEqual([]);
  const reversal = { ...operation, type: 'reversal', comment: reversed, reversal_of_id: 4 };
  expect(await tracesOf(supplierOperations.type, reversal)).toEqual([reversed]);
  const adjustment = { ...operation, type: 'opening', source_type: 'adjustment', comment: paid };
  expect(await tracesOf(supplierOperations.type, adjustment)).toEqual([paid]);
});

test('an entry of a deposit is traced by its comment, an opening debt, too, and a corrected tender by its sale', async () => {
  const comment = 'client-1-1';
  expect(await tracesOf(deposits.type, { type: 'reversal', comment })).toEqual([comment]);
  expect(await tracesOf(deposits.type, { type: 'sale', comment: null })).toEqual([]);
  expect(await tracesOf(debts.type, { sale_id: null, comment })).toEqual([comment]);
  expect(await tracesOf(debts.type, { sale_id: 3, comment })).toEqual([]);
  const correction = changing('tender correction', task, 3);
  expect(await tracesOf(SALE_TENDER, { sale_id: 3 })).toEqual([correction.trace]);
});
