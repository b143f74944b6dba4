import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import * as z from 'zod';
import type { FunctionBundle } from '#infra/bundle/bundle-functions.ts';
import { METHODS } from '#infra/routes.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';

/*
 * What a cold start loads and makes is counted, not timed. `weights.json` has the most that each bundle may
 * weigh: its size in full kilobytes, and the schemas that its heaviest function makes before it is called.
 * Whoever raises one says in the commit how much and why. New functions, and those that became lighter, are
 * written by `WEIGHTS=write npm run test:infra -- weights`, which raises others, too: look at the diff.
 */

const FILE = join(import.meta.dirname, 'weights.json');

const Weights = z.record(z.string(), z.object({ kilobytes: z.int(), schemas: z.int() }));

type Weights = z.output<typeof Weights>;

const run = promisify(execFile);

/** Imports a bundle as each of its functions; every schema of zod gets its `_zod` by this. */
const COUNT = `
  const define = Object.defineProperty;
  let made = 0;
  Object.defineProperty = (target, key, descriptor) => {
    if (key === '_zod') made++;
    return define(target, key, descriptor);
  };
  const [file, ...names] = process.argv.slice(1);
  const counts = [];
  for (const name of names) {
    made = 0;
    process.env._HANDLER = 'index.' + name;
    await import(file + '?' + name);
    counts.push(made);
  }
  process.stdout.write(JSON.stringify(counts));`;

test('no bundle is larger, and none makes more schemas before it is called, than is written down', async () => {
  const weighed = await mapConcurrent(
    inject('bundles'),
    4,
    async ([name, bundle]) => [name, await weigh(bundle)] as const,
  );
  const weights: Weights = Object.fromEntries(weighed);
  expect(Math.max(...Object.values(weights).map(({ schemas }) => schemas))).toBeGreaterThan(100);
  if (process.env['WEIGHTS'] === 'write') writeFileSync(FILE, textOf(weights));
  const most = existsSync(FILE) ? Weights.parse(JSON.parse(readFileSync(FILE, 'utf8'))) : {};
  const heavier = weighed.filter(([name, { kilobytes, schemas }]) => {
    const limit = most[name] ?? { kilobytes: 0, schemas: 0 };
    return kilobytes > limit.kilobytes || schemas > limit.schemas;
  });
  expect(Object.fromEntries(heavier)).toEqual({});
  expect(Object.keys(most).filter((name) => !(name in weights))).toEqual([]);
});

async function weigh({ directory, bytes }: FunctionBundle): Promise<Weights[string]> {
  const file = join(directory, 'index.mjs');
  const source = readFileSync(file, 'utf8');
  const names = ['handler', ...METHODS].filter(
    (name) => source.includes(`'index.${name}'`) || source.includes(`"index.${name}"`),
  );
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', COUNT, file, ...names], {
    env: { ...process.env, AWS_REGION: 'us-east-1' },
  });
  const counts = z.array(z.int()).min(1).parse(JSON.parse(stdout));
  return { kilobytes: Math.ceil(bytes / 1024), schemas: Math.max(...counts) };
}

/** Writes a line for each bundle, as Biome would leave it. */
function textOf(weights: Weights): string {
  const lines = Object.entries(weights)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { kilobytes, schemas }]) => {
      return `  ${JSON.stringify(name)}: { "kilobytes": ${kilobytes}, "schemas": ${schemas} }`;
    });
  return `{\n${lines.join(',\n')}\n}\n`;
}
