import { expect, test } from 'vitest';
import type { Fault, TableAnswer } from '#bench/chaos/fault.ts';
import { deliverInDisorder, deliverTwice } from '#bench/chaos/stream-faults.ts';
import { tableCallOf } from '#bench/chaos/table-call.ts';
import { randomFrom } from '#bench/support/random.ts';

/** Alternating changes of three items; the last digit is the item. */
const NUMBERS = ['11', '12', '13', '21', '22', '23', '31'];

async function deliveredBy(fault: Fault): Promise<string[]> {
  const Records = NUMBERS.map((SequenceNumber) => {
    return { dynamodb: { SequenceNumber, Keys: { pk: { S: SequenceNumber.slice(-1) } } } };
  });
  const body = Buffer.from(JSON.stringify({ Records, NextShardIterator: 'next' }));
  const answered: TableAnswer = { status: 200, headers: {}, body };
  let given = answered;
  await fault({
    call: tableCallOf({}, Buffer.from('')),
    ask: async () => answered,
    forward: async () => answered,
    answer: (answer) => {
      given = answer;
    },
    cut: () => undefined,
    gone: async () => undefined,
    signal: new AbortController().signal,
  });
  const batch: { Records: typeof Records; NextShardIterator: string } = JSON.parse(given.body.toString());
  expect(batch.NextShardIterator).toBe('next');
  return batch.Records.map(({ dynamodb }) => dynamodb.SequenceNumber);
}

test('a batch is delivered twice, and ends as it did', async () => {
  const before = NUMBERS.slice(0, -1);
  expect(await deliveredBy(deliverTwice)).toEqual([...before, ...before, '31']);
});

test('a batch is delivered in another order, in which changes of one item keep theirs', async () => {
  const numbers = await deliveredBy(deliverInDisorder(randomFrom(3, 'disorder')));
  expect(numbers).not.toEqual(NUMBERS);
  expect(numbers.toSorted()).toEqual(NUMBERS);
  expect(numbers.at(-1)).toBe('31');
  for (const item of ['1', '2', '3']) {
    const own = numbers.filter((number) => number.endsWith(item));
    expect(own).toEqual(own.toSorted());
  }
});
