import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { FOLDERS, filesUnder, ROOT, textOf } from './files.ts';

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(textOf('package.json')));

/** Documents that are ours: docs/contract is the customer's. */
const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...filesUnder('docs', '.md'),
  ...filesUnder('lib', '.md'),
].filter((file) => !file.startsWith('docs/contract/'));

const MAX_COLUMNS = 110;
const MAX_README_WORDS = 950;
const MAX_MODEL_LINES = 90;

/**
 * A path of ours in backticks, like `lib/table/keys.ts`. A name with a gap, like `lib/<domain>/`, is none.
 */
const PATH = new RegExp(`\`((?:${[...FOLDERS, 'docs', 'events'].join('|')})/[^\`\\s<…*]*)\``, 'g');

test.each(DOCUMENTS)('%s names existing files', (file) => {
  const paths = [...proseOf(file).matchAll(PATH)].map(([, path = '']) => path);
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test.each(DOCUMENTS)('%s links to existing headings and files', (file) => {
  const links = [...textOf(file).matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, link = '']) => link);
  expect(links.filter((link) => !leads(file, link))).toEqual([]);
});

test.each(DOCUMENTS)('%s names existing commands', (file) => {
  const commands = [...textOf(file).matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
  expect(commands.filter((name) => !(name in scripts))).toEqual([]);
});

test('documents name existing parts of the bench', () => {
  const names = [...textOf('bench/parts.ts').matchAll(/^ {2}\['([\w/-]+)',/gm)].map(([, name = '']) => name);
  const isPart = (part: string) => names.some((name) => name === part || name.startsWith(`${part}/`));
  const inRows = [...textOf('docs/measured.md').matchAll(/ \| `([\w/-]+)` \|$/gm)];
  const inCommands = DOCUMENTS.flatMap((file) => [...textOf(file).matchAll(/npm run bench -- (\w[\w/-]*)/g)]);
  const parts = [...inRows, ...inCommands].map(([, part = '']) => part);
  expect(parts.length).toBeGreaterThan(10);
  expect(parts.filter((part) => !isPart(part))).toEqual([]);
});

test.each(DOCUMENTS)('%s deploys stacks by name, as there are two where FIREWALL is in cdk.json', (file) => {
  const commands = [...textOf(file).matchAll(/^ *npx cdk (?:deploy|diff) .*$/gm)].map(([line]) => line);
  expect(commands.filter((line) => !/npx cdk \w+ retail-/.test(line))).toEqual([]);
});

test.each(DOCUMENTS)(`%s has no line over ${MAX_COLUMNS} columns, except rows of tables`, (file) => {
  const lines = textOf(file).split('\n');
  expect(lines.filter((line) => line.length > MAX_COLUMNS && !line.startsWith('|'))).toEqual([]);
});

test('the glossary names code that is exported', () => {
  const rows = [...textOf('docs/glossary.md').matchAll(/^\|.*\| (`[^|]*`) \|$/gm)];
  const names = rows.flatMap(([, code = '']) => [...code.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
  const exported = ['lib', 'infra'].flatMap((folder) => filesUnder(folder, '.ts')).flatMap(exportsOf);
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name) => !exported.includes(name))).toEqual([]);
});

test('CONTRIBUTING promises failures of tests that are there', () => {
  const guide = textOf('CONTRIBUTING.md');
  const titles = [...guide.matchAll(/^npm test -- .*\n✗ (.+?)(?:: .*)?$/gm)].map(([, title = '']) => title);
  const tests = [guide.replaceAll(/^✗ .*$/gm, ''), ...filesUnder('tests', '.test.ts').map(textOf)];
  expect(titles.length).toBeGreaterThan(2);
  expect(titles.filter((title) => !tests.some((text) => text.includes(title)))).toEqual([]);
});

test(`CONTRIBUTING’s model is a plain noun: it has at most ${MAX_MODEL_LINES} lines`, () => {
  const [, model = ''] = /^Copy `(\S+\.ts)` to `/m.exec(textOf('CONTRIBUTING.md')) ?? [];
  expect(textOf(model).split('\n').length).toBeLessThanOrEqual(MAX_MODEL_LINES);
});

test(`the README can be read in five minutes: it has at most ${MAX_README_WORDS} words`, () => {
  expect(textOf('README.md').split(/\s+/).length).toBeLessThanOrEqual(MAX_README_WORDS);
});

function exportsOf(file: string): string[] {
  const declared = /^export (?:async )?(?:const|function|interface|type|class) (\w+)/gm;
  return [...textOf(file).matchAll(declared)].map(([, name = '']) => name);
}

/** Leaves out the examples of a document. */
function proseOf(file: string): string {
  return textOf(file).replaceAll(/^```[\s\S]*?^```$/gm, '');
}

function leads(file: string, link: string): boolean {
  const [path = '', heading] = link.split('#');
  const target = path === '' ? file : join(dirname(file), path);
  if (!existsSync(join(ROOT, target))) return false;
  return heading === undefined || headingsOf(target).includes(heading);
}

/** Lists the headings of a document, as links name them. */
function headingsOf(file: string): string[] {
  const titles = [...textOf(file).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title.toLowerCase());
  return titles.map((title) => title.replaceAll(/[^\w\s-]/g, '').replaceAll(' ', '-'));
}

test('the page of dead letters tells of every worker what waits meanwhile', () => {
  const [, page = ''] = /^### Dead letters\n(.+?)^###? /ms.exec(textOf('docs/operate.md')) ?? [];
  const told = [...page.matchAll(/^\| (`.+?) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`([\w-]+)`/g)].map(([, name]) => name),
  );
  const workers = filesUnder('functions/workers', '.ts').map((file) => basename(file, '.ts'));
  expect(told.sort()).toEqual(workers.sort());
});
