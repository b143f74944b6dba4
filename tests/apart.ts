import type { TestProject } from 'vitest/node';
import { start } from './service.ts';

/**
 * Tests that have a service apart, whose table holds little and has a stream: those that wait for what the
 * stream tells, and programs that look through a whole table.
 */
export const APART: readonly string[] = [
  'tests/bin/demo.test.ts',
  'tests/bin/programs.test.ts',
  'tests/bin/restore.test.ts',
  'tests/bin/verify.test.ts',
  'tests/bin/verify-operations.test.ts',
  'tests/bin/verify-shifts.test.ts',
  'tests/functions/company/product/product-prices.test.ts',
  'tests/functions/company/sync/delay.test.ts',
  'tests/functions/company/sync/news.test.ts',
  'tests/functions/company/user/activity.test.ts',
  'tests/functions/reference-copy.test.ts',
  'tests/functions/reference-webhooks.test.ts',
  'tests/functions/streams/follow-changes.test.ts',
  'tests/lib/trade/refused/remind.test.ts',
];

/** Starts a service whose table has a stream, however many tests run. */
export function setup(project: TestProject): Promise<() => Promise<void>> {
  return start(project, {});
}
