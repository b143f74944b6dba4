import { afterAll, expect, test } from 'vitest';
import * as z from 'zod';
import { DeskMoney, deskMoneyKey } from '#lib/cash/desk/money.ts';
import { ClientBalances, clientBalancesKey } from '#lib/clients/client-balances.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { sell } from '#lib/trade/checkout/sell.ts';
import { payDebts } from '#lib/trade/debt-payment/pay.ts';
import { DebtPaymentInput } from '#lib/trade/debt-payment/record.ts';
import { refund } from '#lib/trade/debt-payment/refund.ts';
import { ClientDepositInput, DepositCorrectionInput } from '#lib/trade/deposit/input.ts';
import { correctDeposit, moveDeposit } from '#lib/trade/deposit/move.ts';
import { reverseDeposit } from '#lib/trade/deposit/reverse.ts';
import { exchange } from '#lib/trade/exchange/exchange.ts';
import { ExchangeInput } from '#lib/trade/exchange/sides.ts';
import { ReturnInput } from '#lib/trade/return/decide-return.ts';
import { returnGoods } from '#lib/trade/return/return.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { ReversalInput } from '#lib/values/reversal.ts';
import { faultsOf } from '#tests/support/books.ts';
import { addClient } from '#tests/support/clients.ts';
import { newWater, paying } from '#tests/support/debts.ts';
import { byWay, type Depositor, waterFor } from '#tests/support/deposits.ts';
import { testMovements } from '#tests/support/disrupted.ts';
import { directorAs } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { linesOfSale } from '#tests/support/returns.ts';
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

const water = await newWater(shop);

/** Sells pieces at 1 to the client: an amount for each payment type. */
async function sellPieces(
  pieces: number,
  ways: Readonly<Record<string, number>>,
  saveResponse: AnswerWrites = nothing,
): Promise<number> {
  const json = waterFor({ ...shop, client: client_id, water }, pieces, ways);
  return (await sell(actor, SaleInput.parse(json), AT, { saveResponse })).sale.id;
}

/** Returns a piece of the one line of a sale to the deposit. */
async function returnPiece(id: number, saveResponse: AnswerWrites) {
  const products = await linesBack(id, 1);
  const input = ReturnInput.parse({ products, transactions: byWay({ deposit: 1 }) });
  return returnGoods(actor, { ...input, id }, AT, saveResponse);
}

async function linesBack(id: number, returned_quantity: number) {
  const [line] = await linesOfSale(shop, id);
  return [{ id: line?.id, reason_type: 'not_match', returned_quantity }];
}

/** Exchanges pieces of the one line of a sale: the difference is paid from the deposit, or to it. */
async function swapPieces(
  id: number,
  { back, taken }: { readonly back: number; readonly taken: number },
  saveResponse: AnswerWrites,
) {
  const input = ExchangeInput.parse({
    ...{ cashbox_id: shop.cashboxId, stock_id: shop.stockId, company_id: shop.companyId, currency: 'uzs' },
    ...{ client_id, returned_products: await linesBack(id, back) },
    products: [{ product_id: water, sold_quantity: taken }],
    transactions: byWay({ deposit: Math.abs(taken - back) }),
  });
  return exchange(actor, { id, ...input }, AT, saveResponse);
}

/** Pays debts of the client from the deposit, and returns the payment. */
async function payFromDeposit(amount: number, saveResponse: AnswerWrites = nothing): Promise<number> {
  const body = paying(shop, client_id, { deposit: amount });
  const { data } = await payDebts(actor, DebtPaymentInput.parse(body), AT, saveResponse);
  return data[0]?.id ?? 0;
}

/** Returns the client's deposit, the desk's cash, and the client's debt. */
async function standing(): Promise<number[]> {
  const [sums, desk] = await getItems([
    clientBalancesKey(tenant, client_id),
    deskMoneyKey(tenant, shop.cashboxId),
  ]);
  const { deposit_uzs, debt_uzs } = ClientBalances.parse(sums);
  return [deposit_uzs, DeskMoney.parse(desk).cash_uzs, debt_uzs];
}

await move('income', 10_000);

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
    'a sale from a deposit': {
      prepare: async () => 0,
      run: (_, saveResponse) => sellPieces(3, { deposit: 2, cash: 1 }, saveResponse),
      change: [-200, 100],
    },
    'a return into a deposit': {
      prepare: () => sellPieces(4, { deposit: 4 }),
      run: returnPiece,
      change: [-300, 0],
    },
    'an exchange with a surcharge from a deposit': {
      prepare: () => sellPieces(1, { cash: 1 }),
      run: (id, saveResponse) => swapPieces(id, { back: 1, taken: 3 }, saveResponse),
      change: [-200, 100],
    },
    'an exchange with the rest paid into a deposit': {
      prepare: () => sellPieces(4, { deposit: 4 }),
      run: (id, saveResponse) => swapPieces(id, { back: 3, taken: 1 }, saveResponse),
      change: [-200, 0],
    },
    'a debt payment from a deposit': {
      prepare: () => sellPieces(3, { debt: 3 }),
      run: (_, saveResponse) => payFromDeposit(2, saveResponse),
      change: [-200, 0, 100],
    },
    'a refund of a debt payment into a deposit': {
      prepare: async () => {
        await sellPieces(3, { debt: 3 });
        return payFromDeposit(3);
      },
      run: (id, saveResponse) => refund(actor, id, AT, saveResponse),
      change: [0, 0, 300],
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

const Sold = z.object({ id: z.int(), sold_at: z.string(), received_amount: z.number() });

type Sold = z.output<typeof Sold>;

/** Builds a call that sells to a client from the deposit, on debt in part, or takes a sale back whole. */
function newTrade(
  shop: Depositor,
  { kind, amount, sale }: { readonly kind: number; readonly amount: number; readonly sale: Sold | undefined },
): [request: string, json: object] {
  if (kind >= 6 && sale) {
    const transactions = byWay({ [kind === 6 ? 'deposit' : 'cash']: sale.received_amount });
    return [`PATCH /company/trade/sale/${sale.id}/return`, { transactions }];
  }
  const whole = kind % 2 === 0;
  const due = whole ? { deposit: amount } : { deposit: amount, debt: 3 };
  return ['POST /company/trade/sale', waterFor(shop, whole ? amount : amount + 3, due)];
}

test.each([1, 2])(
  'whatever runs at once, sales too, the account is the sum of its entries and never below 0: %i',
  async (seed) => {
    const random = randomly(seed);
    const family = await newShop();
    const { director: token, cashboxId: cashbox_id } = family;
    const [client, other] = [await addClient(family), await addClient(family, '998905550011')];
    const path = (id: number) => `/company/client/client/${id}`;
    const goods = await newWater(family);
    const sales: Sold[] = [];
    const money = { cashbox_id, payment_type: 'cash', currency: 'uzs' };
    const step = () => {
      const [whose, amount] = [random(2) === 0 ? client : other, 1 + random(50)];
      const [kind, comment] = [random(8), 'x'];
      if (kind >= 4) {
        const sale = sales[random(sales.length)];
        const depositor = { ...family, client: whose, water: goods };
        const [request, json] = newTrade(depositor, { kind, amount, sale });
        return call(request, { token, json });
      }
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
      sales.push(...replies.flatMap(({ body }) => Sold.safeParse(body).data ?? []));
    }
    expect(await faultsOf(family)).toEqual([]);
  },
);

test('the books of all these deposits are right', async () => {
  expect(await faultsOf(shop)).toEqual([]);
});
