import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { documents } from '#lib/table/client.ts';
import { all, atLeast, type Expression, equals, lessThan, nameOf } from '#lib/table/expression.ts';
import { type Key, partition, recordKey } from '#lib/table/keys.ts';
import { listItems } from '#lib/table/list.ts';
import type { ListRequest, Source } from '#lib/table/list-request.ts';
import { countOf, headKey, memoFrom } from '#lib/table/memo-store.ts';
import { metered, newMeter, roundTripsOf } from '#lib/table/meter.ts';
import { getItem } from '#lib/table/reads.ts';
import { nextId } from '#lib/table/sequences.ts';
import { transact } from '#lib/table/transact.ts';
import { remove } from '#lib/table/write.ts';
import { newSource, type Row, writeRows } from '#tests/kit/rows.ts';

const MINUTE = 60_000;
const NOW = 1_800_000_000_000;

const oldestFirst = { field: 'id', descending: false };
const newestFirst = { field: 'id', descending: true };
const plain: ListRequest = { settled: [], where: [], sort: newestFirst, page: 1, pageSize: 20 };

afterEach(() => void vi.restoreAllMocks());

function row(id: number, created_at: number): Row {
  return { id, created_at, company_id: id % 3, client_id: id % 97 };
}

/** Rows an hour old, their ids from 1. */
async function oldRows(count: number): Promise<{ source: Source; rows: Row[] }> {
  const source = newSource();
  const rows = Array.from({ length: count }, (_, index) => row(index + 1, NOW - 60 * MINUTE));
  await nextId(source.type, source.home, count);
  await writeRows(source, rows);
  return { source, rows };
}

/** What a list must show of the rows. */
function naively(rows: readonly Row[], { settled, sort, page, pageSize }: ListRequest) {
  const left = rows.filter((each) => all(settled).holds(each)).map(({ id }) => id);
  const sorted = left.sort((a, b) => (sort.descending ? b - a : a - b));
  return { total: left.length, ids: sorted.slice((page - 1) * pageSize, page * pageSize) };
}

async function shown(source: Source, request: ListRequest, at: number) {
  const { rows, total } = await listItems(source, request, at);
  return { total, ids: rows.map(({ id }) => id) };
}

function head({ type, home }: Source, settled: readonly Expression[] = []): Key {
  return headKey(partition(type, home), nameOf(all(settled)));
}

async function memoOf(source: Source, settled: readonly Expression[] = []) {
  return memoFrom(await getItem(head(source, settled)));
}

async function tripsOf(work: () => Promise<unknown>): Promise<number> {
  const meter = newMeter();
  await metered(meter, work);
  return roundTripsOf(meter);
}

const someFilters = fc.subarray([
  equals('company_id', 1),
  equals('client_id', 5),
  equals('client_id', -1),
  all([atLeast('created_at', NOW - 50 * MINUTE), lessThan('created_at', NOW - 10 * MINUTE)]),
]);

test('every page of every list is what filtering, sorting and slicing all rows gives', {
  timeout: 120_000,
}, async () => {
  const batches = fc.array(
    fc.record({
      count: fc.oneof(fc.integer({ min: 0, max: 150 }), fc.integer({ min: 900, max: 2100 })),
      gap: fc.constantFrom(0, 1, 200),
      minutes: fc.constantFrom(0.1, 1, 5, 30),
    }),
    { minLength: 1, maxLength: 4 },
  );
  const requests = fc.record({
    settled: someFilters,
    sort: fc.constantFrom(oldestFirst, newestFirst),
    pageSize: fc.integer({ min: 90, max: 1500 }),
  });
  await fc.assert(
    fc.asyncProperty(batches, fc.array(requests, { minLength: 1, maxLength: 4 }), async (added, lists) => {
      const source = newSource();
      const rows: Row[] = [];
      let at = NOW - 60 * MINUTE;
      for (const { count, gap, minutes } of added) {
        const first = (await nextId(source.type, source.home, count + gap + 1)) + gap;
        const created = at;
        const batch = Array.from({ length: count }, (_, index) => row(first + index, created + index));
        await writeRows(source, batch);
        rows.push(...batch);
        at += minutes * MINUTE;
        for (const list of lists) {
          const last = Math.ceil(naively(rows, { ...plain, ...list }).total / list.pageSize);
          for (let page = 1; page <= last + 2; page++) {
            const request = { ...plain, ...list, page };
            expect(await shown(source, request, at)).toEqual(naively(rows, request));
          }
        }
      }
    }),
    { numRuns: 5 },
  );
});

test('while rows are being added the total is between what was there before and after', {
  timeout: 60_000,
}, async () => {
  const source = newSource();
  const rows: Row[] = [];
  let [clock, begun, isOver] = [NOW, 0, false];
  const writer = async () => {
    for (let round = 0; round < 120; round++) {
      await Promise.all(
        Array.from({ length: 10 }, async () => {
          begun += 1;
          const made = row(await nextId(source.type, source.home), clock);
          await writeRows(source, [made]);
          rows.push(made);
        }),
      );
      // Longer than any call lives: what a round has taken is written in it.
      clock += 40_000;
    }
    isOver = true;
  };
  const reader = async (sort: ListRequest['sort']) => {
    for (let page = 1; !isOver; page = (page % 30) + 1) {
      const before = rows.length;
      const { ids, total } = await shown(source, { ...plain, sort, page }, clock);
      expect(total).toBeGreaterThanOrEqual(before);
      expect(total).toBeLessThanOrEqual(begun);
      expect(ids.length).toBe(Math.max(0, Math.min(20, total - (page - 1) * 20)));
    }
  };
  await Promise.all([writer(), reader(oldestFirst), reader(newestFirst), reader(newestFirst)]);
  const everything = { ...plain, pageSize: 2000 };
  expect(await shown(source, everything, clock + 5 * MINUTE)).toEqual(naively(rows, everything));
  expect(countOf(await memoOf(source))).toBeGreaterThan(1000);
});

test('readers who find a memo behind at the same time all answer right, and it is right after them', async () => {
  const { source, rows } = await oldRows(2500);
  const settled = [equals('company_id', 1)];
  const requests = [1, 10, 41, 42, 43].map((page) => ({ ...plain, settled, page }));
  const answers = await Promise.all(requests.map((request) => shown(source, request, NOW)));
  expect(answers).toEqual(requests.map((request) => naively(rows, request)));
  expect(await memoOf(source, settled)).toMatchObject({ upto: 2500, version: 1 });
  expect(await shown(source, { ...plain, settled, page: 20 }, NOW)).toEqual(
    naively(rows, { ...plain, settled, page: 20 }),
  );
});

test('a memo may be thrown away, whole or in part', async () => {
  const { source, rows } = await oldRows(2500);
  const requests = [1, 50, 125].map((page) => ({ ...plain, page }));
  const { pk, sk } = head(source);
  const chunks = ['chunk-000000000', 'chunk-000000001'];
  for (const lost of [[sk], [chunks[0]], [chunks[1]], chunks, [sk, ...chunks]]) {
    await shown(source, plain, NOW);
    expect(countOf(await memoOf(source))).toBe(2500);
    await transact(lost.map((each) => remove({ pk, sk: String(each) })));
    for (const request of requests) {
      expect(await shown(source, request, NOW)).toEqual(naively(rows, request));
    }
  }
  expect(await tripsOf(() => shown(source, { ...plain, page: 100 }, NOW))).toBe(3);
});

test('a row that comes after rows with higher ids is not lost', async () => {
  const source = newSource();
  await nextId(source.type, source.home, 300);
  const late = row(100, NOW - 25_000);
  const others = Array.from({ length: 300 }, (_, index) =>
    row(index + 1, index < 99 ? NOW - 10 * MINUTE : NOW - 25_000 + index),
  ).filter(({ id }) => id !== late.id);
  await writeRows(source, others);
  expect(await shown(source, plain, NOW)).toEqual(naively(others, plain));
  expect(await memoOf(source)).toMatchObject({ upto: 99 });
  await writeRows(source, [late]);
  const request = { ...plain, sort: oldestFirst, page: 5 };
  for (const at of [NOW, NOW + MINUTE, NOW + 10 * MINUTE, NOW + 10 * MINUTE]) {
    expect(await shown(source, request, at)).toEqual(naively([...others, late], request));
  }
  expect(await memoOf(source)).toMatchObject({ upto: 300 });
});

test('a memo that a long way is missing from is extended on the way, so that who dies there has not read in vain', {
  timeout: 60_000,
}, async () => {
  const { source, rows } = await oldRows(34_000);
  let extensions = 0;
  documents.middlewareStack.add(
    (next) => (args) => {
      if ('TransactItems' in args.input && ++extensions === 2) throw new Error('The table is out of order');
      return next(args);
    },
    { step: 'initialize', name: 'failing' },
  );
  const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
  const request = { ...plain, page: 1000 };
  expect(await shown(source, request, NOW)).toEqual(naively(rows, request));
  documents.middlewareStack.remove('failing');
  expect(warned).toHaveBeenCalledOnce();
  expect(await memoOf(source)).toMatchObject({ upto: 32_000, chunked: 32_000, version: 1 });
  expect(await shown(source, request, NOW)).toEqual(naively(rows, request));
  expect(await memoOf(source)).toMatchObject({ upto: 34_000, chunked: 34_000, version: 2 });
});

test('no page takes more than three round trips, whether there is a memo or not', async () => {
  const { source } = await oldRows(3500);
  for (const settled of [
    [],
    [equals('company_id', 1)],
    [equals('client_id', 5)],
    [equals('client_id', -1)],
  ]) {
    const { total } = await shown(source, { ...plain, settled }, NOW);
    const last = Math.max(1, Math.ceil(total / 20));
    for (const page of [1, Math.ceil(last / 2), last]) {
      for (const sort of [oldestFirst, newestFirst]) {
        const read = () => shown(source, { ...plain, settled, sort, page }, NOW);
        const { pk } = head(source, settled);
        await transact(['head', 'chunk-000000000'].map((sk) => remove({ pk, sk })));
        expect(await tripsOf(read), `page ${page}, cold`).toBeLessThanOrEqual(3);
        expect(await tripsOf(read), `page ${page}, warm`).toBeLessThanOrEqual(3);
      }
    }
  }
});

test('a read writes its memo and nothing else, and needs no right to do so', async () => {
  const { source, rows } = await oldRows(200);
  const sent = vi.spyOn(documents, 'send');
  vi.spyOn(process, 'emitWarning').mockReturnValue();
  documents.middlewareStack.add(
    (next) => (args) => {
      if (!('RequestItems' in args.input) && !('KeyConditionExpression' in args.input)) {
        throw Object.assign(new Error('Not yours'), { name: 'AccessDeniedException' });
      }
      return next(args);
    },
    { step: 'initialize', name: 'denying' },
  );
  expect(await shown(source, plain, NOW)).toEqual(naively(rows, plain));
  documents.middlewareStack.remove('denying');
  await shown(source, plain, NOW);
  const writes = sent.mock.calls.flatMap(([command]) =>
    command instanceof TransactWriteCommand ? (command.input.TransactItems ?? []) : [],
  );
  expect(writes).toHaveLength(2);
  expect(writes.every(({ Put }) => String(Put?.Item?.['pk']).startsWith('memo#'))).toBe(true);
  expect(await memoOf(source)).toMatchObject({ upto: 200 });
});

test('a list of copies, whose ids were given out elsewhere, has no memo', async () => {
  const source = newSource();
  const rows = [9, 5, 7].map((id) => row(id, NOW - 60 * MINUTE));
  await writeRows(source, rows);
  expect(await shown(source, plain, NOW)).toEqual({ total: 3, ids: [9, 7, 5] });
  await transact([remove(recordKey(source.type, source.home, 7))]);
  expect(await shown(source, plain, NOW)).toEqual({ total: 2, ids: [9, 5] });
});
