import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayOf, daysOf, endOfDay, monthsOf, renderInstant, startOfDay, Timestamp } from '#lib/values/time.ts';

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

test('days and months are listed up to the last that has a name, and from the first', () => {
  expect(daysOf('9999-12-30', '9999-12-31')).toEqual(['9999-12-30', '9999-12-31']);
  expect(monthsOf('9999-11-30', '9999-12-31')).toEqual(['9999-11', '9999-12']);
  expect(monthsOf('0001-12-31', '0002-01-01')).toEqual(['0001-12', '0002-01']);
  expect(daysOf('2024-02-28', '2024-03-01')).toEqual(['2024-02-28', '2024-02-29', '2024-03-01']);
});
