import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { compareReplica } from '#bench/chaos/sync/compare.ts';
import type { Lists } from '#bench/chaos/sync/lists.ts';
import { type ReplicaEntry, ReplicaReader } from '#bench/chaos/sync/reader.ts';
import type { SyncRowShape } from '#bench/support/sync-page.ts';
import { listen } from '#bin/cli/listen.ts';
import type { SyncType } from '#lib/records/sync-type.ts';

function entry(type: SyncType, record: SyncRowShape, more: Partial<ReplicaEntry> = {}): ReplicaEntry {
  return { type, id: record.id, revision: 2, is_deleted: false, record, ms: 70, ...more };
}

function lists(rows: Partial<Record<SyncType, readonly SyncRowShape[]>>): Lists {
  const types: readonly SyncType[] = ['client.client', 'client.debt', 'trade.sale', 'trade.sale.return'];
  return new Map(types.map((type) => [type, new Map((rows[type] ?? []).map((row) => [row.id, row]))]));
}

function unlike(entries: readonly ReplicaEntry[], whole: Lists, own = whole): string[] {
  return compareReplica(entries, { own, whole });
}

const sale = { id: 7, status: 'completed', creator: { id: 1 }, products: [{ id: 1 }] };
const copied = { id: 7, status: 'completed', products: [{ id: 1 }], returns: [] };

test('a copy that has what the lists give, and what they do not show', () => {
  const debts = ['uzs', 'uzs', 'usd'].map((currency, index) => {
    return { id: index, client_id: 3, currency, remaining_amount: 0.1 * (index + 1) };
  });
  const whole = lists({ 'trade.sale': [sale], 'client.debt': debts, 'client.client': [{ id: 3 }] });
  const client = { id: 3, debts: { uzs: 0.3, usd: 0.3, eur: 0, rub: 0 }, bonuses: [] };
  const copy = [
    entry('trade.sale', copied),
    entry('client.client', client),
    ...debts.map((debt) => entry('client.debt', debt)),
    entry('trade.sale', { id: 8 }, { is_deleted: true }),
  ];
  expect(unlike(copy, whole)).toEqual([]);
});

test('missing, surplus and differing records are reported with type, id, revision and time', () => {
  const whole = lists({ 'trade.sale': [sale, { id: 9, status: 'completed' }] });
  const wrong = unlike(
    [entry('trade.sale', { ...copied, status: 'new' }), entry('trade.sale', { id: 8 })],
    whole,
  );
  expect(wrong).toEqual([
    'trade.sale 9 was missed; the list has {"id":9,"status":"completed"}',
    'trade.sale 8 is in no list; the copy has revision 2 since 70 ms',
    'trade.sale 7: status is "new" in the copy and "completed" in the list; the copy has revision 2 since 70 ms',
  ]);
});

test('who reaches a part is compared with their own lists, but with all returns and lines', () => {
  const back = { id: 4, sale_id: 7, amount: 5 };
  const whole = lists({ 'trade.sale': [sale], 'trade.sale.return': [back] });
  const own = lists({ 'trade.sale': [{ id: 7, status: 'completed' }] });
  expect(unlike([entry('trade.sale', { ...copied, returns: [back] })], whole, own)).toEqual([]);
  expect(unlike([entry('trade.sale', { ...copied, products: [] })], whole, own)).toHaveLength(2);
});

test('a reader tells of a revision that goes back, and asks again for what was not answered', async () => {
  const pages = [
    { status: 500, body: {} },
    { status: 200, body: { data: [row(3, 'a'), row(2, 'b'), row(3, 'c')], cursor: 'one', has_more: true } },
    { status: 410, body: { code: 'sync.begin_again' } },
    { status: 410, body: { code: 'sync.reach_changed' } },
    { status: 200, body: { data: [row(1, 'd')], cursor: 'two', has_more: false } },
  ];
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(/cursor=(\w+)/.exec(request.url ?? '')?.[1]);
    const { status, body } = pages[asked.length - 1] ?? { status: 500, body: {} };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const { address, stop } = await listen(server);
  onTestFinished(stop);
  const log = { file: '', counts: new Map<string, number>(), note: () => undefined };
  const reader = new ReplicaReader({ name: 'reader', token: 'token', log, ends: ['sync.begin_again'] });
  for (const _ of pages) await reader.readPage(address, 5000);
  expect(asked).toEqual([undefined, undefined, 'one', undefined, undefined]);
  expect(reader.wrong).toEqual([
    'trade.sale 7 went back from revision 3 to 2',
    'trade.sale 7 is another at the same revision 3: {"id":7,"name":"a"}, then {"id":7,"name":"c"}',
    'The cursor has ended: sync.reach_changed',
  ]);
  expect(reader.isAtEnd).toBe(true);
  expect([...reader.entries.values()].map(({ record }) => record)).toEqual([{ id: 7, name: 'd' }]);
});

function row(revision: number, name: string) {
  return { type: 'trade.sale', id: 7, revision, is_deleted: false, record: { id: 7, name } };
}
