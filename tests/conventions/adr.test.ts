import { expect, test } from 'vitest';
import * as z from 'zod';
import { filesUnder, textOf } from './files.ts';

const Packages = z.object({
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});

const REASONS = 'docs/adr/0009-justify-dependencies.md';

const MANIFESTS = ['package.json', 'infra/layers/sharp/nodejs/package.json', 'tests/infra/ric/package.json'];

const INDEX = 'docs/adr/README.md';

const decisions = filesUnder('docs/adr', '.md').filter((file) => file !== INDEX);

const LINK = String.raw`\[\d+\]\(\d{4}-[\w-]+\.md\)`;

const STATUS = new RegExp(
  `^(?:Proposed|Accepted(?:, (?:amended by|amends|supersedes) ${LINK}[\\s\\S]*)?|Superseded by ${LINK})$`,
);

test.each(decisions)('%s has its number, date, status, context, decision and consequences', (file) => {
  const text = textOf(file);
  expect(text).toMatch(new RegExp(`^# ${numberOf(file)}\\. .+\\n\\n\\d{4}-\\d{2}-\\d{2}\\n\\n## Status\\n`));
  expect(text.match(/^## (?:Status|Context|Decision|Consequences)$/gm)).toEqual([
    ...['## Status', '## Context', '## Decision', '## Consequences'],
  ]);
  expect(statusOf(file)).toMatch(STATUS);
});

test('a decision that supersedes or amends another is named by the status of that one', () => {
  const named = decisions.flatMap((file) =>
    [...statusOf(file).matchAll(/\((\d{4}-[\w-]+\.md)\)/g)].map(([, other = '']) => [file, other] as const),
  );
  expect(named.length).toBeGreaterThan(1);
  const oneSided = named.filter(
    ([file, other]) => !statusOf(`docs/adr/${other}`).includes(`](${file.split('/').at(-1)})`),
  );
  expect(oneSided).toEqual([]);
});

test('decisions are numbered in a row, with those that the index says are merged', () => {
  const merged = [...textOf(INDEX).matchAll(/^\| (\d+) \|/gm)].map(([, number]) => Number(number));
  const numbers = [...decisions.map(numberOf), ...merged].sort((one, other) => one - other);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});

test('the index has every decision once, by its title, with its status', () => {
  const entries = textOf(INDEX).match(/^\| \[\d.*$/gm) ?? [];
  const expected = decisions.map((file) => {
    const [, title = ''] = /^# (.+)$/m.exec(textOf(file)) ?? [];
    const [status = ''] = /^(?:Proposed|Accepted|Superseded by \[\d+)/.exec(statusOf(file)) ?? [];
    return `| [${title}](${file.split('/').at(-1)}) | ${status.replace('[', '')} |`;
  });
  expect(entries.sort()).toEqual(expected.sort());
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

function numberOf(file: string): number {
  return Number(/\/(\d{4})-/.exec(file)?.[1]);
}

function statusOf(file: string): string {
  return /\n## Status\n\n([\s\S]*?)\n\n## /.exec(textOf(file))?.[1] ?? '';
}
