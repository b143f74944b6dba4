import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { contentKey } from '#infra/bundle/content-key.ts';
import { currentBundles } from '#infra/bundle/current-bundles.ts';

/** Creates a small project with all sources of bundles. */
function project(): string {
  const root = mkdtempSync(join(tmpdir(), 'retail-key-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const folder of [
    ...['functions/company', 'infra', 'lib/values', 'bin/demo/till', 'node_modules', 'infra/node_modules'],
  ])
    mkdirSync(join(root, folder), { recursive: true });
  for (const file of [
    'functions/company/brand.ts',
    'bin/demo/till/main.ts',
    'infra/stage.ts',
    'infra/node_modules/sharp.js',
    'lib/values/money.ts',
    'node_modules/.package-lock.json',
    'package.json',
    'tsconfig.json',
  ])
    writeFileSync(join(root, file), 'one');
  return root;
}

test('bundles are made anew if a source, a text or a package is another, comes, goes or moves', () => {
  const root = project();
  const keys = [contentKey(root)];
  const changes = [
    () => writeFileSync(join(root, 'functions/company/brand.ts'), 'two'),
    () => writeFileSync(join(root, 'node_modules/.package-lock.json'), 'two'),
    () => writeFileSync(join(root, 'package.json'), 'two'),
    () => writeFileSync(join(root, 'lib/values/ru.json'), '{}'),
    () => renameSync(join(root, 'lib/values/money.ts'), join(root, 'lib/values/sum.ts')),
    () => rmSync(join(root, 'infra/stage.ts')),
  ];
  for (const change of changes) {
    change();
    keys.push(contentKey(root));
  }
  expect(new Set(keys).size).toBe(changes.length + 1);
});

test('bundles are kept while nothing that they are made of is another', async () => {
  const root = project();
  const before = contentKey(root);
  writeFileSync(join(root, 'README.md'), 'two');
  writeFileSync(join(root, 'lib/values/money.ts'), 'one');
  expect(contentKey(root)).toBe(before);
  const [[, { directory } = { directory: '' }] = []] = inject('bundles');
  const made = statSync(join(directory, 'index.mjs')).mtimeMs;
  expect([...(await currentBundles())]).toEqual(inject('bundles'));
  expect(statSync(join(directory, 'index.mjs')).mtimeMs).toBe(made);
});
