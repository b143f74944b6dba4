import { expect, test } from 'vitest';
import { parseRetryAfter, retryDelay } from '#lib/webhooks/delivery/backoff.ts';

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];
const STEPS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR];

test('the steps are 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h, and no more (Part 4, 4.2 (1))', () => {
  const waits = Array.from({ length: 10 }, (_, index) => retryDelay(index + 1, 0));
  expect(waits).toEqual([...STEPS, 24 * HOUR, undefined]);
});

test('a Retry-After longer than the step is kept to, at most the next step (Part 4, 4.2 (1))', () => {
  for (const [index, step] of STEPS.entries()) {
    const next = STEPS[index + 1] ?? 24 * HOUR;
    expect(retryDelay(index + 1, step - 1)).toBe(step);
    expect(retryDelay(index + 1, step + 1)).toBe(step + 1);
    expect(retryDelay(index + 1, next)).toBe(next);
    expect(retryDelay(index + 1, next + 1)).toBe(next);
  }
});

test('of the last step a Retry-After is at most 24 h (Part 4, 4.2 (1))', () => {
  expect(retryDelay(9, 100 * HOUR)).toBe(24 * HOUR);
  expect(retryDelay(10, 100 * HOUR)).toBeUndefined();
});

test('a Retry-After is seconds or a date; what is neither, or is past, asks for nothing', () => {
  const at = Date.UTC(2026, 10, 23);
  expect(parseRetryAfter('60', at)).toBe(MINUTE);
  expect(parseRetryAfter(new Date(at + HOUR).toUTCString(), at)).toBe(HOUR);
  for (const text of [undefined, '', 'soon', '-5', new Date(at - HOUR).toUTCString()]) {
    expect(parseRetryAfter(text, at)).toBe(0);
  }
});
