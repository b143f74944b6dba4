import { expect, test } from 'vitest';
import * as z from 'zod';
import { filesUnder, textOf } from './files.ts';

const Packages = z.object({
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});

const REASONS = 'docs/decisions/0009-dependencies.md';

const MANIFESTS = ['package.json', 'infra/layers/sharp/nodejs/package.json', 'tests/infra/ric/package.json'];

const decisions = filesUnder('docs/decisions', '.md');

test.each(decisions)('%s has its number, date, context, decision and price', (file) => {
  const number = Number(/\/(\d{4})-/.exec(file)?.[1]);
  const text = textOf(file);
  expect(text).toMatch(new RegExp(`^# ${number}\\. .+\\n\\n\\d{4}-\\d{2}-\\d{2}\\n\\n## Context\\n`));
  expect(text).toMatch(/\n## Decision\n[\s\S]+\n## Price\n/);
});

test('decisions are numbered in a row', () => {
  const numbers = decisions.map((file) => Number(/\/(\d{4})-/.exec(file)?.[1]));
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});

test('every dependency has its reason, and every reason its dependency', () => {
  const installed = MANIFESTS.flatMap((file) => {
    const { dependencies, devDependencies, optionalDependencies } = Packages.parse(JSON.parse(textOf(file)));
    return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  });
  const rows = textOf(REASONS).matchAll(/^\| (`.*?) \| \S.* \|$/gm);
  const reasoned = [...rows].flatMap(([, packages = '']) => packages.replaceAll('`', '').split(', '));
  expect(reasoned.sort()).toEqual([...new Set(installed)].sort());
});
