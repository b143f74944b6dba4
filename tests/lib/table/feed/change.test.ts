import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { expect, test } from 'vitest';
import { changesIn } from '#lib/table/feed/change.ts';
import { keyPrefixes } from '#lib/table/feed/feed-types.ts';

type Image = Record<string, AttributeValue>;

const HEADER: Image = {
  pk: { S: 'brand#family-7' },
  sk: { S: '000000000012' },
  id: { N: '12' },
  company_id: { N: '7' },
  creator_id: { N: '3' },
  is_deleted: { BOOL: false },
  version: { N: '1' },
};

const PLACEHOLDER: Image = { pk: { S: 'brand#family-7' }, sk: { S: '000000000012' }, journal: { S: 'j' } };

function recordOf(
  before: Image | undefined,
  after: Image | undefined,
  SequenceNumber = '000077',
): DynamoDBRecord {
  const { pk = { S: '' }, sk = { S: '' } } = after ?? before ?? {};
  return {
    dynamodb: {
      Keys: { pk, sk },
      ApproximateCreationDateTime: 1_795_000_000,
      SequenceNumber,
      ...(before && { OldImage: before }),
      ...(after && { NewImage: after }),
    },
  };
}

const actionsOf = (before: Image | undefined, after: Image | undefined) =>
  changesIn(recordOf(before, after)).map(({ type, id, action, isSum }) => [type, id, action, isSum]);

const deleted: Image = { ...HEADER, is_deleted: { BOOL: true }, version: { N: '2' } };

test('what follows in the stream comes after, however long its number is', () => {
  const [first, second] = ['99', '100'].flatMap((number) => changesIn(recordOf(undefined, HEADER, number)));
  expect([first?.order, second?.order].toSorted()).toEqual([first?.order, second?.order]);
});

test('created is the first image that is no placeholder of a transaction', () => {
  expect(actionsOf(undefined, HEADER)).toEqual([['product.brand', 12, 'created', false]]);
  expect(actionsOf(undefined, PLACEHOLDER)).toEqual([]);
  expect(actionsOf(PLACEHOLDER, HEADER)).toEqual([['product.brand', 12, 'created', false]]);
  expect(actionsOf(PLACEHOLDER, undefined)).toEqual([]);
});

test('deleted and restored are a change of is_deleted, all else is changed', () => {
  expect(actionsOf(HEADER, deleted)).toEqual([['product.brand', 12, 'deleted', false]]);
  expect(actionsOf(deleted, HEADER)).toEqual([['product.brand', 12, 'restored', false]]);
  expect(actionsOf(HEADER, { ...HEADER, version: { N: '2' } })).toEqual([
    ['product.brand', 12, 'changed', false],
  ]);
  expect(actionsOf(HEADER, undefined)).toEqual([['product.brand', 12, 'deleted', false]]);
});

test('a lock that comes or goes is no change', () => {
  const taken: Image = { ...HEADER, journal: { S: 'j' }, pending: { M: { version: { N: '2' } } } };
  expect(actionsOf(HEADER, taken)).toEqual([]);
  expect(actionsOf(taken, HEADER)).toEqual([]);
  expect(actionsOf(taken, deleted)).toEqual([['product.brand', 12, 'deleted', false]]);
});

test('a change tells whom it may concern, and who made it', () => {
  const after: Image = { ...deleted, cashbox_id: { N: '4' }, changed_by_id: { N: '5' } };
  expect(changesIn(recordOf(HEADER, after))).toEqual([
    {
      tenant: 'family-7',
      type: 'product.brand',
      id: 12,
      key: { pk: 'brand#family-7', sk: '000000000012' },
      action: 'deleted',
      isSum: false,
      companyId: 7,
      cashboxId: 4,
      stockId: undefined,
      moved: { companyId: 7, cashboxId: undefined, stockId: undefined },
      creatorId: 3,
      impersonatorId: undefined,
      changedById: 5,
      changedImpersonatorId: undefined,
      at: 1_795_000_000_000,
      version: 2,
      order: `001795000000000-${'77'.padStart(40, '0')}`,
    },
  ]);
});

test('a change has the time of its record', () => {
  const timeOf = (before: Image | undefined, after: Image) => changesIn(recordOf(before, after))[0]?.at;
  const made: Image = { ...HEADER, created_at: { N: '1000' }, updated_at: { N: '1000' } };
  expect(timeOf(undefined, made)).toBe(1000);
  expect(timeOf(made, { ...made, updated_at: { N: '2000' } })).toBe(2000);
  expect(timeOf(made, { ...made, name: { S: 'x' } })).toBe(1_795_000_000_000);
});

test('counters and goods are sums of their records (Part 4, 4.1 (4))', () => {
  const money: Image = { pk: { S: 'cashbox-balance#family-7' }, sk: { S: '000000000003' }, cash: { N: '5' } };
  expect(actionsOf(money, { ...money, cash: { N: '6' } })).toEqual([['cashbox.cashbox', 3, 'changed', true]]);
  const goods: Image = { pk: { S: 'balance#family-7#1#2' }, sk: { S: 'balance' }, id: { N: '9' } };
  expect(actionsOf(undefined, goods)).toEqual([['stock.product', 9, 'changed', true]]);
});

test('a count that a balance agreed with is no change of it', () => {
  const goods: Image = { pk: { S: 'balance#family-7#1#2' }, sk: { S: 'balance' }, id: { N: '9' } };
  const counted: Image = { ...goods, version: { N: '2' }, counts: { L: [{ L: [{ N: '1' }, { N: '5' }] }] } };
  expect(actionsOf({ ...goods, version: { N: '1' } }, counted)).toEqual([]);
  const fewer: Image = { ...counted, quantity: { N: '3' } };
  expect(actionsOf(goods, fewer)).toEqual([['stock.product', 9, 'changed', true]]);
});

test('of a company’s rates only the changed ones are in the feed', () => {
  const rate = (id: number, value: number): AttributeValue => ({
    M: { id: { N: `${id}` }, rate: { N: `${value}` } },
  });
  const rates = (usd: number): Image => ({
    pk: { S: 'company-rates#family-7' },
    sk: { S: '000000000008' },
    rates: { M: { uzs: rate(1, 100), usd: rate(2, usd) } },
  });
  expect(actionsOf(undefined, rates(5))).toEqual([
    ['cashbox.currency-rate', 1, 'created', false],
    ['cashbox.currency-rate', 2, 'created', false],
  ]);
  const [change, ...others] = changesIn(recordOf(rates(5), rates(6)));
  expect(change).toMatchObject({ id: 2, action: 'changed', companyId: 8 });
  expect(others).toEqual([]);
});

test.each([
  ['another home', { ...HEADER, pk: { S: 'brand#platform' } }],
  ['what is under a record', { ...HEADER, pk: { S: 'sale#family-7#1' }, sk: { S: 'lines-000000' } }],
  ['another item', { ...HEADER, pk: { S: 'sequence#family-7' }, sk: { S: 'brand' } }],
  ['a key that is none', { ...HEADER, sk: { S: 'balance' } }],
])('%s is not followed', (_, image) => {
  expect(actionsOf(undefined, image)).toEqual([]);
});

test('an item of any shape is reported or passed over', () => {
  const odd: Image = { ...HEADER, company_id: { S: 'x' }, creator_id: { M: {} }, is_deleted: { N: '1' } };
  expect(changesIn(recordOf(HEADER, odd))).toMatchObject([
    { action: 'changed', companyId: undefined, creatorId: undefined },
  ]);
  expect(changesIn({})).toEqual([]);
  expect(actionsOf(undefined, { pk: { S: 'balance#family-7#1#2' }, sk: { S: 'balance' } })).toEqual([]);
});

test('partitions of families alone are followed, by what their keys begin with, and the pulse', () => {
  const prefixes = keyPrefixes();
  expect(prefixes.filter((prefix) => !prefix.endsWith('#family-'))).toEqual(['feed-watch']);
  expect(prefixes).toEqual(
    expect.arrayContaining(['sale#family-', 'cashbox-balance#family-', 'balance#family-']),
  );
});
