import { expect, test } from 'vitest';
import { logIn, newTable } from '#tests/support/empty-stage.ts';
import { killAtEachCall } from '#tests/support/kill-program.ts';

test('bootstrap, killed after any of its calls and run again, leaves an administrator whose password was shown', async () => {
  const calls = await killAtEachCall('bootstrap', async () => {
    const table = await newTable();
    const check = async (before: string, after: string) => {
      const shown = [...`${before}${after}`.matchAll(/Password: (\S{24})\n/g)];
      const tried = await Promise.allSettled(shown.map(([, password = '']) => logIn('admin', password)));
      expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    };
    return { args: ['--table', table], check };
  });
  expect(calls).toBeGreaterThan(8);
});
