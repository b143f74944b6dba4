import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Tests of faults that take over 25 seconds, and short files that take over 10, the longest first. Without
 * times of an earlier run, as after a clean install, vitest begins with the largest files; some of these are
 * the smallest, and would run alone at the end.
 */
export const LONGEST: readonly string[] = [
  'tests/lib/trade/offline/retry.crash.test.ts',
  'tests/bin/programs.crash.test.ts',
  'tests/lib/table/journal/journal.crash.test.ts',
  'tests/lib/table/list-index/update.crash.test.ts',
  'tests/lib/table/transaction/transact.crash.test.ts',
  'tests/lib/trade/offline-days.crash.test.ts',
  'tests/lib/trade/goods.crash.test.ts',
  'tests/bin/bootstrap.crash.test.ts',
  'tests/lib/reports/products.crash.test.ts',
  'tests/journeys/random-weeks.crash.test.ts',
  'tests/lib/trade/return/origins.crash.test.ts',
  'tests/journeys/random-day.crash.test.ts',
  'tests/lib/trade/debt-payment/many-debts.crash.test.ts',
  'tests/functions/external/notifications.crash.test.ts',
  'tests/functions/company/sync/first-part.test.ts',
  'tests/conventions/floating-promises.test.ts',
];

/**
 * Begins with what takes longest, so that no worker is left with it when all others are done, and ends with
 * the project that has most files, for the same reason. Those of a project stay in a row, as they may share
 * processes.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const counts = new Map<string, number>();
    for (const { project } of files) counts.set(project.name, (counts.get(project.name) ?? 0) + 1);
    const countOf = ({ project }: TestSpecification) => counts.get(project.name) ?? 0;
    return sorted.toSorted((a, b) => countOf(a) - countOf(b) || placeOf(a) - placeOf(b));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = LONGEST.findIndex((path) => moduleId.endsWith(path));
  return place < 0 ? LONGEST.length : place;
}
