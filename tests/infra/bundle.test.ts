import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { codeFiles, textOf } from '#tests/conventions/files.ts';

const bundles = new Map(inject('bundles'));

function fileOf(name: string, file: string): string {
  return join(bundles.get(name)?.directory ?? '', file);
}

test('a bundle writes Cyrillic as it is, and not six bytes a letter', () => {
  const text = readFileSync(fileOf('common/auth/login.ts', 'index.mjs'), 'utf8');
  expect(text).toContain('Успешно');
  expect(text).not.toMatch(/\\u04[0-9a-f]{2}/i);
});

test('texts are beside a bundle: those of forms and sheets only where these are given', () => {
  const [makes, prints] = ['return', 'print'].map((name) => `company/trade/sale/[model]/${name}.ts`);
  for (const name of [makes, prints]) {
    const text = readFileSync(fileOf(name ?? '', 'messages/uz.json'), 'utf8');
    expect(text).toContain('Тизимга кириш талаб қилинади.');
  }
  expect(existsSync(fileOf(makes ?? '', 'labels/ru.json'))).toBe(false);
  expect(readFileSync(fileOf(prints ?? '', 'labels/ru.json'), 'utf8')).toContain('Итого');
});

test('a bundle is the same wherever it is made: nothing in it names a folder of this machine', () => {
  const naming = inject('bundles').filter(([, { directory }]) =>
    readFileSync(join(directory, 'index.mjs'), 'utf8').includes(process.cwd()),
  );
  expect(naming.map(([name]) => name)).toEqual([]);
});

test('none of our modules asks for what bundles leave out', () => {
  const asking = codeFiles(['lib', 'functions']).filter((file) =>
    /toJSONSchema|~standard|endpointDiscovery/.test(textOf(file)),
  );
  expect(asking).toEqual([]);
});
