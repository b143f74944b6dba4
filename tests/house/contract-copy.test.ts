import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesUnder, ROOT, textOf } from './files.ts';

/** The customer's own documents, on the machines that have them beside the repository. */
const ORIGINALS = join(ROOT, '../shared/spec');

const PAGES = ['decisions.md', 'part-1.md', 'part-2.md', 'part-3.md'];

test('the contract is three parts and the decisions', () => {
  expect(filesUnder('docs/contract', '.md')).toEqual(PAGES.map((page) => join('docs/contract', page)));
});

describe.skipIf(!existsSync(ORIGINALS))('where ../shared/spec is (skipped where it is not)', () => {
  test.each(PAGES)('docs/contract/%s is the original, word for word', (page) => {
    expect(textOf(join('docs/contract', page))).toBe(readFileSync(join(ORIGINALS, page), 'utf8'));
  });
});
