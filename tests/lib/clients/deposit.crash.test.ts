import { afterAll, expect, test } from 'vitest';
import { DeskMoney, deskMoneyKey } from '#lib/cash/desk/money.ts';
import { ClientBalances, clientBalancesKey } from '#lib/clients/client-balances.ts';
import {
  ClientDepositInput,
  correctDeposit,
  DepositCorrectionInput,
  moveDeposit,
} from '#lib/clients/deposit/move.ts';
import { reverseDeposit } from '#lib/clients/deposit/reverse.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { ReversalInput } from '#lib/values/reversal.ts';
import { faultsOf } from '#tests/support/books.ts';
import { addClient } from '#tests/support/clients.ts';
import { testMovements } from '#tests/support/disrupted.ts';
import { directorAs } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { type AnswerWrites, nothing } from '#tests/support/save-response.ts';
import { newShop } from '#tests/support/shop.ts';
import { behindProxy } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

const AT = Date.now();

const shop = await newShop();
const tenant = familyTenant(shop.companyId);
const actor = directorAs(shop.directorId, shop.companyId);
const client_id = await addClient(shop);

function move(type: 'income' | 'outcome', amount: number, saveResponse: AnswerWrites = nothing) {
  const money = { cashbox_id: shop.cashboxId, payment_type: 'cash', currency: 'uzs', amount };
  return moveDeposit(actor, { ...ClientDepositInput.parse({ type, ...money }), client_id }, AT, saveResponse);
}

function correct(amount: number, saveResponse: AnswerWrites = nothing) {
  const input = DepositCorrectionInput.parse({ currency: 'uzs', amount, comment: 'x' });
  return correctDeposit(actor, { ...input, client_id }, AT, saveResponse);
}

function reverse(id: number, saveResponse: AnswerWrites) {
  return reverseDeposit(actor, { ...ReversalInput.parse({ comment: 'x' }), id }, AT, saveResponse);
}

/** Returns the client's deposit, and the desk's cash. */
async function standing(): Promise<number[]> {
  const [sums, desk] = await getItems([
    clientBalancesKey(tenant, client_id),
    deskMoneyKey(tenant, shop.cashboxId),
  ]);
  return [ClientBalances.parse(sums).deposit_uzs, DeskMoney.parse(desk).cash_uzs];
}

await move('income', 1000);

testMovements(
  proxy,
  {
    'an income of a deposit': {
      prepare: async () => 0,
      run: (_, saveResponse) => move('income', 2, saveResponse),
      change: [200, 200],
    },
    'an outcome of a deposit': {
      prepare: async () => 0,
      run: (_, saveResponse) => move('outcome', 1, saveResponse),
      change: [-100, -100],
    },
    'a correction of a deposit': {
      prepare: async () => 0,
      run: (_, saveResponse) => correct(-1, saveResponse),
      change: [-100, 0],
    },
    'a reversal of an income': {
      prepare: async () => (await move('income', 3)).id,
      run: reverse,
      change: [0, 0],
    },
  },
  standing,
  3,
);

/** Draws numbers that look random, and are the same for a seed. */
function randomly(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

test.each([1, 2])(
  'whatever runs at once, the account is the sum of its entries and never below 0: %i',
  async (seed) => {
    const random = randomly(seed);
    const family = await newShop();
    const { director: token, cashboxId: cashbox_id } = family;
    const [client, other] = [await addClient(family), await addClient(family, '998905550011')];
    const path = (id: number) => `/company/client/client/${id}`;
    const money = { cashbox_id, payment_type: 'cash', currency: 'uzs' };
    const step = () => {
      const [whose, amount] = [random(2) === 0 ? client : other, 1 + random(50)];
      const [kind, comment] = [random(4), 'x'];
      if (kind === 0) {
        const json = { currency: 'uzs', amount: amount - 25 || 1, comment };
        return call(`POST ${path(whose)}/deposit-correction`, { token, json });
      }
      if (kind === 1) {
        return call(`POST /company/client/deposit/${1 + random(20)}/reverse`, { token, json: { comment } });
      }
      const json = { ...money, amount, type: kind === 2 ? 'income' : 'outcome' };
      return call(`POST ${path(whose)}/deposit`, { token, json });
    };
    for (let round = 0; round < 12; round++) {
      const replies = await Promise.all(Array.from({ length: 4 }, step));
      for (const { status } of replies) expect([200, 400, 404, 422, 503]).toContain(status);
    }
    expect(await faultsOf(family)).toEqual([]);
  },
);

test('the books of all these deposits are right', async () => {
  expect(await faultsOf(shop)).toEqual([]);
});
