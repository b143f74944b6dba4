import type { TestProject } from 'vitest/node';
import { start } from './service.ts';

/** Tests that wait for what the table's stream tells: they have a service of their own, with few changes. */
export const FOLLOWED: readonly string[] = [
  'tests/bin/demo.test.ts',
  'tests/functions/company/sync/news.test.ts',
  'tests/functions/company/user/activity.test.ts',
  'tests/functions/reference-webhooks.test.ts',
  'tests/functions/streams/follow-changes.test.ts',
];

/** Starts a service whose table has a stream, however many tests run. */
export function setup(project: TestProject): Promise<() => Promise<void>> {
  return start(project, {});
}
