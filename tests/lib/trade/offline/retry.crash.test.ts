import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { countWaiting } from '#lib/cash/desk/waiting.ts';
import { completeGoodsReceipt } from '#lib/trade/goods-receipt/end.ts';
import * as receipts from '#lib/trade/goods-receipt/goods-receipt.ts';
import { GoodsReceiptInput } from '#lib/trade/goods-receipt/record.ts';
import { SaleBatchInput, sellBatch } from '#lib/trade/offline/batch.ts';
import { retryRefusedSale } from '#lib/trade/offline/retry.ts';
import { RefusedSale, type RefusedSaleContext } from '#lib/trade/refused/record.ts';
import { dismiss, get } from '#lib/trade/refused/refused.ts';
import { readSaleKey } from '#lib/trade/sale/idempotency-key.ts';
import { ApiError, StoredSaleError } from '#lib/values/api-error.ts';
import { asCall } from '#tests/support/as-call.ts';
import { faultsOf } from '#tests/support/books.ts';
import { testDisrupted } from '#tests/support/disrupted.ts';
import { directorAs } from '#tests/support/family.ts';
import { withCalls } from '#tests/support/kill-after-calls.ts';
import { meanwhile } from '#tests/support/meanwhile.ts';
import { offlineSaleBody } from '#tests/support/offline.ts';
import { nothing } from '#tests/support/save-response.ts';
import { cashInDesk, newGoods, newShop, piecesOf } from '#tests/support/shop.ts';
import { behindProxy } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

const [PIECES, PRICE] = [1000, 5000];
const shop = await newShop();
const product = await newGoods(shop, [{ quantity: PIECES, cost: 1 }]);
const actor = directorAs(shop.directorId, shop.companyId);
const DISMISSED = 'Entered by hand';

/** Refused sale: its id, and a body for which goods are now in stock. */
interface Waiting {
  readonly id: number;
  readonly key: string;
  readonly body: object;
}

const occasion = (saveResponse: RefusedSaleContext['saveResponse'] = nothing): RefusedSaleContext => {
  return { at: Date.now(), locale: 'ru', saveResponse };
};

const sendOne = async (body: object) => {
  const { sales } = SaleBatchInput.parse({ sales: [body] });
  const { data } = await sellBatch(actor, { sales }, { at: Date.now(), locale: 'ru', isTimeUp: () => false });
  return data[0];
};

/** Uploads a sale that is refused until its body is changed. */
async function refuseForGood(): Promise<Waiting> {
  const key = randomUUID();
  const body = offlineSaleBody(shop, product, key);
  const row = await sendOne({ ...body, due_date: '2000-01-01' });
  return { id: z.int().parse(row?.refused_id), key, body };
}

/** Out of stock whenever a sale of it is refused: each arriving piece is sold by the next retry. */
const scarce = await newGoods(shop, []);

/** Uploads a sale that is refused before its goods arrive: it can then be sold as it is. */
async function refuseTooEarly(): Promise<Waiting> {
  const key = randomUUID();
  const body = offlineSaleBody(shop, scarce, key);
  const row = await sendOne(body);
  const products = [{ product_id: scarce, quantity: 1, cost: 1 }];
  const receipt = GoodsReceiptInput.parse({ stock_id: shop.stockId, currency: 'uzs', products });
  const made = await receipts.create(actor, receipt, Date.now(), nothing);
  await completeGoodsReceipt(actor, made.id, Date.now(), nothing);
  return { id: z.int().parse(row?.refused_id), key, body };
}

/** Retries a sale; its reported outcome must be the visible one. */
async function retryTruly(
  { id }: Waiting,
  sent: object | undefined,
  saveResponse?: RefusedSaleContext['saveResponse'],
) {
  const told = await retryRefusedSale(actor, { id, sent }, occasion(saveResponse));
  expect(RefusedSale.parse(told)).toEqual(await shown(id));
}

/** Reads a refused sale as shown to callers. */
async function shown(id: number) {
  return RefusedSale.parse(await get(actor, id, 'ru'));
}

let sold = 0;
let standing = 0;

/** Expects the outcome of a sale, and goods, money, keys and refused sales consistent with it. */
async function expectEnd({ id, key }: Waiting, status: 'waiting' | 'sold' | 'dismissed', bodies?: number) {
  const [refused, claim, cash, waiting] = await Promise.all([
    get(actor, id, 'ru'),
    readSaleKey(actor.tenant, { key, cashbox_id: shop.cashboxId }),
    cashInDesk(shop),
    countWaiting(actor.tenant, [shop.cashboxId]),
  ]);
  expect(refused.status).toBe(status);
  if (status === 'sold') expect(claim).toMatchObject({ sale_id: refused.sale_id });
  else expect(claim).toEqual({ refused_id: id });
  if (bodies !== undefined) expect(refused.bodies).toHaveLength(bodies);
  expect(refused.bodies_left_out).toBeUndefined();
  sold += status === 'sold' ? 1 : 0;
  standing += status === 'waiting' ? 1 : 0;
  expect(cash).toBe(sold * PRICE);
  expect(waiting).toEqual([standing]);
  return refused;
}

describe('a retry with a changed body', () => {
  testDisrupted(proxy, 5, async () => ({
    prepare: refuseForGood,
    run: (one, saveResponse) => retryTruly(one, one.body, saveResponse),
    check: async (one) => {
      expect(await expectEnd(one, 'sold', 2)).toMatchObject({ attempts: 2 });
    },
  }));
});

describe('a retry without a body', () => {
  testDisrupted(proxy, 5, async () => ({
    prepare: refuseTooEarly,
    run: (one, saveResponse) => retryTruly(one, undefined, saveResponse),
    check: async (one) => {
      expect(await expectEnd(one, 'sold', 1)).toMatchObject({ attempts: 2 });
      expect(await piecesOf(shop, scarce)).toBe(0);
    },
  }));
});

describe('a dismissal', () => {
  testDisrupted(proxy, 2, async () => ({
    prepare: refuseForGood,
    run: async ({ id }, saveResponse) => {
      const told = await dismiss(actor, { id, comment: DISMISSED }, occasion(saveResponse));
      expect(RefusedSale.parse(told)).toEqual(await shown(id));
    },
    check: async (one) => {
      expect(await expectEnd(one, 'dismissed', 1)).toMatchObject({ comment: DISMISSED, attempts: 1 });
    },
  }));
});

/** Returns the outcome of a retry: the reported status, or the texts of its refusal. */
async function outcomeOf(work: Promise<{ readonly status: string }>): Promise<string> {
  try {
    return (await work).status;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error instanceof StoredSaleError) return `kept ${error.phrase.key}`;
    return error.phrase.key;
  }
}

test('a retry that is refused again counts, and keeps its body once, wherever it is killed', async () => {
  for (let calls = 0, lived = false; !lived; calls++) {
    const one = await asCall(refuseForGood);
    const json = { ...one.body, due_date: '2000-01-02' };
    const again = () => outcomeOf(retryRefusedSale(actor, { id: one.id, sent: json }, occasion()));
    lived = await withCalls(calls, again);
    const { attempts } = await get(actor, one.id, 'ru');
    expect([1, 2]).toContain(attempts);
    expect(await again()).toBe('kept validation.in_past');
    const end = await asCall(() => expectEnd(one, 'waiting', 2));
    expect(end.attempts).toBe(attempts + 1);
    if (lived) expect(calls).toBeGreaterThan(5);
  }
});

/** Retries a sale and returns the response; a sale reported as sold must be visible as reported. */
const tryAgain = ({ id }: Waiting, sent?: object) =>
  outcomeOf(
    retryRefusedSale(actor, { id, sent }, occasion()).then(async (told) => {
      expect(RefusedSale.parse(told)).toMatchObject({ ...(await shown(id)), ...leftOut(told) });
      return told;
    }),
  );

/** Ignores bodies that arrived during the retry and are missing in its response. */
function leftOut({ bodies_left_out, bodies }: z.input<typeof RefusedSale>): object {
  return bodies_left_out ? { bodies_left_out, bodies } : {};
}

/** Runs another action before each call of a retry in turn, and expects a valid outcome of both. */
async function atEachCall(
  prepare: () => Promise<Waiting>,
  tried: (one: Waiting) => Promise<string>,
  other: (one: Waiting) => Promise<string>,
  check: (one: Waiting, made: string, meant: string) => Promise<unknown>,
): Promise<void> {
  for (let call = 0, goesOn = true; goesOn; call++) {
    const one = await asCall(prepare);
    let meant = '';
    const { made, isMet } = await meanwhile(
      call,
      async () => {
        meant = await asCall(() => other(one));
      },
      () => tried(one),
    );
    goesOn = isMet;
    await asCall(() => (isMet ? check(one, made, meant) : expectEnd(one, 'sold')));
    if (!isMet) expect(call).toBeGreaterThan(5);
  }
  expect(await faultsOf(shop)).toEqual([]);
}

/** Expects that one of two calls has sold it, and that the other reported so, or the state before. */
function expectOneSold(...outcomes: readonly string[]): void {
  const odd = outcomes.filter((each) => each !== 'sold' && each !== 'refused_sale.not_waiting');
  expect({ odd, isSold: outcomes.includes('sold') }).toEqual({ odd: [], isSold: true });
}

test('two retries at once sell it once, and each returns the outcome', async () => {
  const changed = (one: Waiting) => tryAgain(one, one.body);
  await atEachCall(refuseForGood, changed, changed, async (one, made, meant) => {
    expectOneSold(made, meant);
    expect(await expectEnd(one, 'sold', 2)).toMatchObject({ attempts: 2 });
  });
});

const send = async (body: object) => String((await sendOne(body))?.code ?? 'sold');

test('a retry beside the till that sends it again is sold once, and both return the sale', async () => {
  const resend = ({ body }: Waiting) => send(body);
  await atEachCall(
    refuseTooEarly,
    (one) => tryAgain(one),
    resend,
    async (one, made, meant) => {
      expectOneSold(made, meant);
      expect(meant).toBe('sold');
      const { bodies, attempts } = await expectEnd(one, 'sold');
      expect({ attempts, isShown: [1, 2].includes(bodies?.length ?? 0) }).toEqual({
        attempts: 2,
        isShown: true,
      });
    },
  );
});

test('a retry beside the till that sends its first body again wins, and once it is sold that body returns the sale', async () => {
  const resend = ({ body }: Waiting) => send({ ...body, due_date: '2000-01-01' });
  const changed = (one: Waiting) => tryAgain(one, one.body);
  await atEachCall(refuseForGood, changed, resend, async (one, made, meant) => {
    expect(made).toBe('sold');
    const isFirst = meant === 'validation.in_past';
    if (!isFirst) expect(meant).toBe('sold');
    expect(await expectEnd(one, 'sold', 2)).toMatchObject({ attempts: isFirst ? 3 : 2 });
  });
});

test('of a retry and a dismissal at once one is done, and the other reports it', async () => {
  const give = ({ id }: Waiting) => outcomeOf(dismiss(actor, { id, comment: DISMISSED }, occasion()));
  const changed = (one: Waiting) => tryAgain(one, one.body);
  await atEachCall(refuseForGood, changed, give, async (one, made, meant) => {
    const isSold = made === 'sold';
    if (isSold) expect(meant).toBe('refused_sale.not_waiting');
    else {
      expect(['kept sale.dismissed', 'refused_sale.not_waiting']).toContain(made);
      expect(meant).toBe('dismissed');
    }
    await expectEnd(one, isSold ? 'sold' : 'dismissed', isSold ? 2 : 1);
  });
});
