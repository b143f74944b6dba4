import type { Reporter, TestCase } from 'vitest/node';

/**
 * Says in the last line which tests were skipped for want of something on the machine. With
 * `NOTHING_SKIPPED`, as in `.ci/run`, that fails.
 */
export const skippedTests: Reporter = {
  onTestRunEnd(modules) {
    const line = lineOf(modules.flatMap(({ children }) => [...children.allTests('skipped')]));
    if (line === undefined) return;
    process.stdout.write(`${line}\n`);
    if (process.env['NOTHING_SKIPPED']) process.exitCode = 1;
  },
};

type Skipped = Pick<TestCase, 'result'>;

/** Tells how many tests were skipped for each reason. What a word on the command line leaves out has none. */
export function lineOf(skipped: readonly Skipped[]): string | undefined {
  const reasons = skipped.flatMap((test) => {
    const result = test.result();
    return result.state === 'skipped' && result.note !== undefined ? [result.note] : [];
  });
  if (reasons.length === 0) return undefined;
  const counts = [...Map.groupBy(reasons, (reason) => reason)];
  const told = counts.map(([reason, { length }]) => `${length} of ${reason}`);
  return `Skipped: ${told.join('; ')}`;
}
