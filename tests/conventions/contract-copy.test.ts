import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesUnder } from './files.ts';

const PAGES = ['decisions.md', 'part-1.md', 'part-2.md', 'part-3.md', 'part-4.md', 'part-5.md'];

test('the contract is five parts and the decisions', () => {
  expect(filesUnder('docs/contract', '.md')).toEqual(PAGES.map((page) => join('docs/contract', page)));
});
