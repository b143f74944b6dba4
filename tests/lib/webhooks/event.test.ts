import { expect, test } from 'vitest';
import { SyncType } from '#lib/records/sync-type.ts';
import { rightFor } from '#lib/sync/right.ts';
import { canReceive, EventType, eventFor, isSubscribed } from '#lib/webhooks/event.ts';
import { directorAs } from '#tests/support/family.ts';

test('each type has its four events, and a word for all of them (Part 4, 4.2)', () => {
  expect(EventType.options).toHaveLength(SyncType.options.length * 5);
  for (const type of SyncType.options) {
    for (const word of ['created', 'updated', 'deleted', 'restored']) {
      expect(isSubscribed([`${type}.*`], `${type}.${word}`)).toBe(true);
      expect(isSubscribed([`${type}.${word}`], `${type}.${word}`)).toBe(true);
      expect(isSubscribed([`${type}.${word}`], `${type}.other`)).toBe(false);
    }
  }
  expect(isSubscribed(['trade.sale.*'], 'trade.sale.return.created')).toBe(false);
});

test('sums tell .updated of stock.product alone, not of desks, clients and suppliers (Part 4, 4.2)', () => {
  const told = SyncType.options.flatMap((type) => eventFor({ type, action: 'changed', isSum: true }) ?? []);
  expect(told).toEqual(['stock.product.updated']);
  expect(eventFor({ type: 'client.client', action: 'changed', isSum: false })).toBe('client.client.updated');
});

test.each(SyncType.options)('who may hear of %s has the right to list it (Part 4, 4.2 (4))', (type) => {
  const right = rightFor(type);
  const nobody = { ...directorAs(1, 1), type: 'employee', rights: [] } as const;
  expect(canReceive(nobody, `${type}.created`)).toBe(right === null);
  expect(canReceive({ ...nobody, rights: right === null ? [] : [right] }, `${type}.created`)).toBe(true);
});
