import { expect, test } from 'vitest';
import { codeFiles, filesUnder, textOf } from './files.ts';
import { faultOf, pointersIn } from './pointers.ts';

// The examples of these files are no pointers.
const pointers = codeFiles()
  .filter((file) => !file.startsWith('tests/conventions/'))
  .flatMap((file) => pointersIn(textOf(file)).map((pointer) => ({ file, pointer })));

test('every pointer in a comment leads to a place in docs/contract', () => {
  expect(pointers.length).toBeGreaterThan(100);
  const faults = pointers.map(({ file, pointer }) => ({ file, pointer, fault: faultOf(pointer) }));
  expect(faults.filter(({ fault }) => fault !== undefined)).toEqual([]);
});

test.each([
  'Part 1, "Errors".',
  'Part 1, "Users".',
  'Part 1, "Shared conventions", 5. */',
  'Part 1, "Authentication", 3.',
  'Contract 4.',
  'Contract 7, "Warehouse".',
  'Contract 1, "Unknown filter".',
  'Contract 9.34.',
  'Part 4, 4.3.',
  'Part 4, 4.1, 3.',
  'Part 5, 5.0, 6.',
  'Part 5, 5A.12, 1.',
])('%s is a pointer', (pointer) => {
  expect(faultOf(pointer)).toBeUndefined();
});

test.each([
  ['Part 1, "Mistakes".', 'leads to no heading'],
  ['Part 1, "Shared conventions", 12.', 'leads to no rule'],
  ['Part 4, 4.9.', 'leads to no heading'],
  ['Part 5, 5A.19.', 'leads to no heading'],
  ['Part 5, 5B.1, 9.', 'leads to no rule'],
  ['Contract 7.', 'names neither row nor entry'],
  ['Contract 7, "Lorry".', 'leads to no row'],
  ['Contract 7, "Company".', 'leads to more than one row'],
  ['Contract 9.340.', 'leads to no entry'],
  ['Contract Section 7.', 'is no pointer by the grammar'],
  ['decisions, 4.', 'is no pointer by the grammar'],
  ['Decisions, 9 (34).', 'is no pointer by the grammar'],
  ['Parts 1, 2.', 'is no pointer by the grammar'],
])('%s %s', (pointer, fault) => {
  expect(faultOf(pointer)).toBe(fault);
});

test('pointers are found in every kind of comment, on one line or two, and nowhere else', () => {
  const source = [
    '/** A desk. Part 3, "Cash',
    ' * operations"; Contract 5. */',
    "const text = 'Part 9, nothing';",
    'sell(); // Contract 4.',
    '  // A draft is of its desk. Contract 7,',
    '  // "Cheque draft".',
  ].join('\n');
  expect(pointersIn(source)).toEqual([
    'Part 3, "Cash operations"; Contract 5. */',
    'Contract 5. */',
    'Contract 4.',
    'Contract 7, "Cheque draft".',
  ]);
});

test('nothing points at the contract by its old words', () => {
  const files = [...codeFiles(), ...filesUnder('docs', '.md'), 'README.md', 'CONTRIBUTING.md'];
  const ours = files.filter((file) => !/^(docs\/contract|tests\/conventions\/pointers)/.test(file));
  expect(ours.filter((file) => /\bDecisions, \d/i.test(textOf(file)))).toEqual([]);
});

test('every numbered decision is named by a test', () => {
  const numbered = textOf('docs/contract/decisions.md').split(/^## 9/m)[1] ?? '';
  const numbers = new Set(
    [...numbered.matchAll(/(?:^|[.*] )\((\d+)\) /gm)].map(([, number]) => Number(number)),
  );
  const named = new Set(
    filesUnder('tests', '.test.ts')
      .flatMap((file) => [...textOf(file).matchAll(/Contract ((?:9\.\d+(?:, )?)+)/g)])
      .flatMap(([, list = '']) => [...list.matchAll(/9\.(\d+)/g)].map(([, number]) => Number(number))),
  );
  expect(numbers.size).toBeGreaterThan(70);
  expect([...numbers].filter((number) => !named.has(number))).toEqual([]);
});
