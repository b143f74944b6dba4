import { afterAll, describe, expect, test } from 'vitest';
import { ClientBalances, clientBalancesKey } from '#lib/clients/client-balances.ts';
import { changeDueDate, DueDateInput, get } from '#lib/clients/debt/due-date.ts';
import { readOpenDebts } from '#lib/clients/debt/open.ts';
import { addOpeningDebt, OpeningDebtInput } from '#lib/clients/debt/opening.ts';
import { DebtWriteOffInput, reverseWriteOff, writeOff } from '#lib/clients/debt/write-off.ts';
import { readLines } from '#lib/records/lines.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { sell } from '#lib/trade/checkout/sell.ts';
import { ReturnInput } from '#lib/trade/return/decide-return.ts';
import { returnGoods } from '#lib/trade/return/return.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { SaleLine } from '#lib/trade/sale/record.ts';
import { ReversalInput } from '#lib/values/reversal.ts';
import { faultsOf } from '#tests/support/books.ts';
import { addClient, onDebt } from '#tests/support/clients.ts';
import { newWater } from '#tests/support/debts.ts';
import { testDisrupted, testMovements } from '#tests/support/disrupted.ts';
import { directorAs } from '#tests/support/family.ts';
import { type AnswerWrites, nothing } from '#tests/support/save-response.ts';
import { newShop } from '#tests/support/shop.ts';
import { behindProxy } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

const AT = Date.now();

const shop = await newShop();
const tenant = familyTenant(shop.companyId);
const actor = directorAs(shop.directorId, shop.companyId);
const [client_id, water] = await Promise.all([addClient(shop), newWater(shop)]);

const opening = OpeningDebtInput.parse({
  ...{ client_id, currency: 'uzs', amount: 10, due_date: '2020-01-01', comment: 'x' },
});

async function newDebt(): Promise<number> {
  return (await addOpeningDebt(actor, opening, AT, nothing)).id;
}

const all = DebtWriteOffInput.parse({ comment: 'x' });
const comment = ReversalInput.parse({ comment: 'x' });

async function newWriteOff(): Promise<number> {
  return (await writeOff(actor, { ...all, id: await newDebt() }, AT, nothing)).id;
}

/** Returns the client's debt, and the total and number of open debts. */
async function standing(): Promise<number[]> {
  const [sums, open] = await Promise.all([
    getItem(clientBalancesKey(tenant, client_id)),
    readOpenDebts(tenant, client_id, 'uzs'),
  ]);
  const left = open.reduce((sum, { remaining_amount }) => sum + remaining_amount, 0);
  return [ClientBalances.parse(sums).debt_uzs, left, open.length];
}

testMovements(
  proxy,
  {
    'an opening debt': {
      prepare: async () => 0,
      run: (_, saveResponse) => addOpeningDebt(actor, opening, AT, saveResponse),
      change: [1000, 1000, 1],
    },
    'a write-off': {
      prepare: newDebt,
      run: (id, saveResponse) => writeOff(actor, { ...all, id }, AT, saveResponse),
      change: [0, 0, 0],
    },
    'a reversal of a write-off': {
      prepare: newWriteOff,
      run: (id, saveResponse) => reverseWriteOff(actor, { ...comment, id }, AT, saveResponse),
      change: [1000, 1000, 1],
    },
  },
  standing,
  3,
);

describe('another due date', () => {
  testDisrupted(proxy, 2, async () => ({
    prepare: newDebt,
    run: (id: number, saveResponse: AnswerWrites) => {
      const input = DueDateInput.parse({ due_date: '2099-01-01' });
      return changeDueDate(actor, { ...input, id }, AT, saveResponse);
    },
    undone: async (id) => expect((await get(actor, id, [], AT)).due_dates).toEqual([]),
    check: async (id) => expect((await get(actor, id, [], AT)).due_dates).toHaveLength(1),
  }));
});

describe('a return that closes a write-off', () => {
  testDisrupted(proxy, 4, async () => ({
    prepare: async () => {
      const json = SaleInput.parse(onDebt(shop, client_id, water, 10, 10));
      const { sale } = await sell(actor, json, AT, { saveResponse: nothing });
      const debt = sale.transactions[0]?.debt_id ?? 0;
      await writeOff(actor, { ...all, amount: 700, id: debt }, AT, nothing);
      const [line] = await readLines(SaleLine, { type: 'sale', tenant, id: sale.id }, 1);
      return { id: sale.id, debt, line: line?.id };
    },
    run: ({ id, line }, saveResponse: AnswerWrites) => {
      const products = [{ id: line, reason_type: 'not_match' as const, returned_quantity: 6 }];
      return returnGoods(actor, { id, ...ReturnInput.parse({ products }) }, AT, saveResponse);
    },
    check: async ({ debt }) => {
      const left = { returned_amount: 600, written_off_amount: 400, remaining_amount: 0 };
      expect(await get(actor, debt, [], AT)).toMatchObject(left);
    },
  }));
});

test('the books of all these debts are right', async () => {
  expect(await faultsOf(shop)).toEqual([]);
});
