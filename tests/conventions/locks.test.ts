import { expect, test } from 'vitest';
import * as z from 'zod';
import { filesUnder, textOf } from './files.ts';

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      integrity: z.string().optional(),
      resolved: z.string().optional(),
      link: z.boolean().optional(),
      inBundle: z.boolean().optional(),
    }),
  ),
});

/** Stands in for packages that nothing here uses. */
const EMPTY = 'bin/local/empty';

const LOCKS = ['package-lock.json', ...filesUnder('tests', 'lock.json'), ...filesUnder('infra', 'lock.json')];

test('the lock files are those of the project, the layer, the runtime client and the client', () => {
  expect(LOCKS).toHaveLength(4);
});

test.each(LOCKS)('%s has a checksum of every package, for other machines than this too', (file) => {
  const { packages } = Lock.parse(JSON.parse(textOf(file)));
  const without = Object.entries(packages).filter(([path, { integrity, inBundle, link, resolved }]) =>
    link ? resolved !== EMPTY : ![integrity, inBundle, path === '', path === EMPTY].some(Boolean),
  );
  expect(without.map(([path]) => path)).toEqual([]);
});
