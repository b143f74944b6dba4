import { expect, test } from 'vitest';
import { newTable, signIn } from '#tests/kit/empty-stage.ts';
import { killedEverywhere } from '#tests/kit/killed.ts';

test('bootstrap, killed after any of its calls and run again, leaves an administrator whose password was shown', {
  timeout: 300_000,
}, async () => {
  const calls = await killedEverywhere('bootstrap', async () => {
    const table = await newTable();
    return {
      args: ['--table', table],
      check: async (before, after) => {
        const shown = [...`${before}${after}`.matchAll(/Password: (\S{24})\n/g)];
        const tried = shown.map(([, password = '']) => signIn('admin', password));
        expect((await Promise.allSettled(tried)).filter(({ status }) => status === 'fulfilled')).toHaveLength(
          1,
        );
        expect(after).toContain(table);
      },
    };
  });
  expect(calls).toBeGreaterThan(8);
});
