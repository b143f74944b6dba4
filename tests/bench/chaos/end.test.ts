import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { takeTableAway } from '#bench/chaos/faults.ts';
import { HalfSeen } from '#bench/chaos/half-seen.ts';
import { posting } from '#bench/chaos/operation.ts';
import type { RunHistory, StepOutcome } from '#bench/chaos/perform.ts';
import { repeatAll } from '#bench/chaos/repeat.ts';
import { checkReport } from '#bench/chaos/report-check.ts';
import { listMissingRevisions } from '#bench/chaos/webhook-receiver.ts';
import { randomFrom } from '#bench/support/random.ts';
import { listen } from '#bin/cli/listen.ts';
import { Reply } from '#bin/cli/person.ts';
import type { SyncType } from '#lib/records/sync-type.ts';
import { chaosScene } from './scene.ts';

const log = { file: '', counts: new Map<string, number>(), note: () => undefined };

/** Starts a service that answers each path with a given body. */
async function serve(answers: Readonly<Record<string, object>>, headers: Record<string, string> = {}) {
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    const isKnown = path in answers;
    response
      .writeHead(isKnown ? 200 : 500, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(answers[path] ?? {}));
  });
  const { address, stop } = await listen(server);
  onTestFinished(stop);
  return address;
}

function newStory(outcomes: readonly StepOutcome[] = []): RunHistory {
  return { begun: [], outcomes: [...outcomes], wrong: [], floors: new Map() };
}

/** Reads reports until each kind has been read. */
async function checkAll(reports: Readonly<Record<string, object>>, record = newStory()): Promise<string[]> {
  const answers = Object.entries(reports).map(
    ([name, report]) => [`/company/report/${name}`, report] as const,
  );
  const address = await serve(Object.fromEntries(answers));
  const place = { name: 'api-1', address, isFrozen: false };
  const caller = { places: [place], log, chance: randomFrom(1, 'reports') };
  const wrong: string[] = [];
  for (let looks = 0; looks < 60; looks++) wrong.push(...(await checkReport(caller, chaosScene, record)));
  return [...new Set(wrong.map((each) => each.replace(/^family 7: GET \S+: /, '')))];
}

const paid = { cash: 10, card: 0, bank: 0, bonus: 0, debt: 3, deposit: 2, exchange: 0 };
const figures = { returned_amount: 0, discount_amount: 0, revenue: 15, cost: 9, profit: 6 };
const sold = { currency: 'uzs', sales_count: 2, returns_count: 0, sold_amount: 15, ...figures };
const sales = { data: [{ ...sold, by_payment_type: paid }], totals: [sold] };

/** Creates a record of two sales. */
function twoSales(): RunHistory {
  const task = { scene: chaosScene, name: 'client-1-1', chance: randomFrom(1, 'sale') };
  const begun = ['1', '2'].map((name) => posting('sale', { ...task, name }, '/company/trade/sale', {}));
  return { ...newStory(), begun };
}

test('a report that adds up, of what was begun, is possible', async () => {
  expect(await checkAll({ sales }, twoSales())).toEqual([]);
});

test('a report of more than was begun, or of less than it was, is reported', async () => {
  expect(await checkAll({ sales })).toEqual(['2 sales, 0 had been begun']);
  const record = { ...twoSales(), floors: new Map([['sold_amount of 7', 16]]) };
  expect(await checkAll({ sales }, record)).toEqual(['sold_amount is 15, and was 16']);
});

test('rows that do not add up are reported', async () => {
  const less = { ...sales, totals: [{ ...sold, revenue: 14 }] };
  expect(await checkAll({ sales: less }, twoSales())).toEqual([
    'revenue of uzs  is 14 in all, and 15 by rows',
  ]);
  const row = { currency: 'uzs', payment_type: 'cash', opening: 1, income: 5, outcome: 2, closing: 4.01 };
  expect(await checkAll({ cash: { data: [row], totals: [row] } })).toHaveLength(1);
});

test('VAT above what was sold, and a deposit that is none, are reported', async () => {
  const row = {
    currency: 'uzs',
    vat_percent: 12,
    sold_amount: 112,
    sold_vat: 12,
    amount: 112,
    vat_amount: 12,
  };
  const returned = { returned_amount: 0, returned_vat: 0 };
  const vat = (more: object) => ({
    data: [{ ...row, ...returned, ...more }],
    totals: [{ ...row, ...returned, ...more }],
  });
  expect(await checkAll({ vat: vat({}) })).toEqual([]);
  expect(await checkAll({ vat: vat({ returned_vat: 1 }) })).toHaveLength(1);
  const deposits = { data: [{ currency: 'uzs', amount: -1 }], totals: [{ currency: 'uzs', amount: -1 }] };
  expect(await checkAll({ deposits })).toEqual(['a deposit of -1']);
});

test('a desk, or a branch whose desk has moved away, that gave more than it got is reported', async () => {
  const row = { currency: 'uzs', payment_type: 'cash', opening: 1, income: 0, outcome: 2, closing: -1 };
  expect(await checkAll({ cash: { data: [row], totals: [row] } })).toEqual([
    `more went out than came in ${JSON.stringify(row)}`,
  ]);
});

test('goods that only move and are incomplete are reported, and debts over the limit', async () => {
  const [moved, gone] = [5, 4].map((pieces) => {
    const row = { quantity: pieces, held_quantity: 1, in_transit_quantity: 5, costs: { uzs: 30_000 } };
    return { data: [{ key: chaosScene.steady.productId, ...row }], totals: [row] };
  });
  expect(await checkAll({ stock: moved ?? {} })).toEqual([]);
  expect(await checkAll({ stock: gone ?? {} })).toEqual(['9 of 10 pieces that only move, at 30000']);
  const debt = { currency: 'uzs', total: 101, not_due: 101 };
  const debts = { data: [{ key: chaosScene.limited.clientId, ...debt }], totals: [debt] };
  expect(await checkAll({ debts })).toEqual(['101 is owed by who may owe 100']);
});

test('a call that is sent again must give its first answer, as a repetition', async () => {
  const task = { scene: chaosScene, name: 'client-1-1', chance: randomFrom(1, 'again') };
  const operation = posting('sale', task, '/company/trade/sale', {});
  const first = (body: { id: number }): StepOutcome => {
    const answer = new Reply(200, new Headers(), body);
    return { operation, outcome: 'done', statuses: [200], ids: [body.id], answer, hasKey: true };
  };
  const answers = { '/company/trade/sale': { id: 5 } };
  const replaying = await serve(answers, { 'idempotent-replayed': 'true' });
  expect((await repeatAll(replaying, newStory([first({ id: 5 })]))).wrong).toHaveLength(0);
  expect((await repeatAll(replaying, newStory([first({ id: 6 })]))).wrong).toHaveLength(1);
  const doingAgain = await serve(answers);
  expect((await repeatAll(doingAgain, newStory([first({ id: 5 })]))).wrong).toHaveLength(1);
});

function entryOf(type: SyncType, revision: number, more: object = {}) {
  return [`${type} 1`, { type, id: 1, revision, record: { id: 1, ...more } }] as const;
}

test('the last revision of what has changed must have been heard of', () => {
  const entries = new Map([
    entryOf('trade.sale', 3),
    entryOf('trade.hold', 1),
    entryOf('stock.stock', 9),
    entryOf('stock.product', 12, { stock_id: 1 }),
  ]);
  const before = new Map([
    ['trade.hold 1', 1],
    ['stock.stock 1', 9],
    ['stock.product 1', 11],
  ]);
  const families = [{ familyId: 7, entries, before }];
  const balance = ['/7 stock.product 1', 12] as const;
  expect(listMissingRevisions(new Map([['/7 trade.sale 1', 3], balance]), families)).toEqual([]);
  expect(listMissingRevisions(new Map([['/7 trade.sale 1', 2], balance]), families)).toEqual([
    '/7 trade.sale 1: revision 3, only 2',
  ]);
  expect(listMissingRevisions(new Map(), families)).toEqual([
    '/7 trade.sale 1: revision 3, nothing of it',
    '/7 stock.product 1: revision 12, nothing of it',
  ]);
});

test('a stock level need not be heard of for changes of its warehouse, or for stocktakes that agreed', () => {
  const line = { id: 1, difference: 0 };
  const agreed = entryOf('trade.inventory', 5, { status: 'completed', products: [line] });
  const differed = entryOf('trade.inventory', 5, {
    status: 'completed',
    products: [{ ...line, difference: -1 }],
  });
  const levelIn = (revision: number) => entryOf('stock.product', revision, { stock_id: 1 });
  const before = new Map([
    ['stock.stock 1', 1],
    ['stock.product 1', 3],
    ['trade.inventory 1', 5],
  ]);
  const missing = (heard: number | undefined, ...entries: readonly ReturnType<typeof entryOf>[]) =>
    listMissingRevisions(new Map(heard === undefined ? [] : [['/7 stock.product 1', heard]]), [
      { familyId: 7, entries: new Map([entryOf('stock.stock', 3), ...entries]), before },
    ]);
  expect(missing(undefined, levelIn(5))).toEqual([]);
  expect(missing(undefined, levelIn(6), agreed)).toEqual([]);
  expect(missing(undefined, levelIn(6))).toHaveLength(1);
  expect(missing(undefined, levelIn(6), differed)).toHaveLength(1);
  expect(missing(undefined, levelIn(7), agreed)).toHaveLength(1);
  // Received when the warehouse was still as before.
  expect(missing(4, levelIn(6))).toEqual([]);
  expect(missing(4, levelIn(7))).toEqual(['/7 stock.product 1: revision 7, only 4']);
});

test('a run of a minute keeps its table: only longer ones lose it for a while', async () => {
  const net = { isFaulty: true, isTableAway: false, halfSeen: new HalfSeen() };
  const notes: string[] = [];
  await takeTableAway(60, { net, log: { ...log, note: (what) => notes.push(what) } }, () => false);
  expect(notes).toEqual([]);
  expect(net.isTableAway).toBe(false);
});
