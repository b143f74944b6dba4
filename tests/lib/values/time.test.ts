import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayOf, endOfDay, renderInstant, startOfDay, Timestamp } from '#lib/values/time.ts';

test('a timestamp is Y-m-d H:i:s in Asia/Tashkent', () => {
  expect(renderInstant(Date.parse('2026-11-21T19:30:05Z'))).toBe('2026-11-22 00:30:05');
});

test('a day begins and ends at the time zone’s midnight', () => {
  expect(startOfDay('2026-11-22')).toBe(Date.parse('2026-11-21T19:00:00Z'));
  expect(endOfDay('2026-11-22')).toBe(Date.parse('2026-11-22T19:00:00Z'));
});

const instants = fc.integer({ min: Date.parse('2000-01-01'), max: Date.parse('2100-01-01') });

test('every instant lies in its own day', () => {
  fc.assert(
    fc.property(instants, (at) => {
      const day = dayOf(at);
      return startOfDay(day) <= at && at < endOfDay(day);
    }),
  );
});

test('a rendered timestamp reads back to the same second', () => {
  fc.assert(
    fc.property(instants, (at) => Timestamp.encode(Timestamp.decode(at)) === Math.floor(at / 1000) * 1000),
  );
});
