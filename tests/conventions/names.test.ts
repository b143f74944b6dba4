import { expect, test } from 'vitest';
import { codeFiles, TILL, textOf } from './files.ts';
import { codeOf } from './tokens.ts';

const ROOMS = ['lib', 'infra', 'bin', 'bench', 'tests/support'];

/** Always called through the noun: `brands.list(…)`. */
const THROUGH_THE_NOUN = new Set(['list', 'get', 'create', 'edit', 'patch', 'remove', 'restore']);

/** What nouns take from `recordsOf`, called through the noun, too: `clients.keyOf(…)`. */
const TAKEN_BY_NOUNS = new Set(['List', 'Embeds', 'keyOf', 'ifVisible', 'listBare']);

/** Participles that do not end in -ed, as a first word of a name. */
const IRREGULAR =
  /^(?:begun|bought|done|drawn|found|given|gone|held|kept|known|left|lent|lost|made|met|paid|said|seen|sent|shown|sold|spent|taken|told|woken|written)(?![a-z])/;

/** Verbs that end in -ed. */
const VERBS = /^(?:embed|exceed|feed|need|proceed|seed|speed)(?![a-z])/;

const DECLARED = /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm;
const DESTRUCTURED = /^export const \{([^}]+)\} =/gm;
const FUNCTIONS = /\bfunction\*? (\w+)|\bconst (\w+) = (?:async )?(?:\([^()]*\)[^=;]*|\w+) =>/g;

test('an exported name has one home', () => {
  const files = codeFiles(ROOMS).filter((file) => !file.startsWith(TILL));
  const tenants = Map.groupBy(
    files.flatMap((file) => exportsOf(codeOf(textOf(file))).map((name) => ({ name, file }))),
    ({ name }) => name,
  );
  const doubled = [...tenants].filter(([name, { length }]) => length > 1 && !THROUGH_THE_NOUN.has(name));
  expect(doubled.map(([name, each]) => `${name}: ${each.map(({ file }) => file).join(', ')}`)).toEqual([]);
});

test('no function is named by a participle: it is a verb, or the noun that it gives', () => {
  const named = codeFiles(['functions', ...ROOMS]).flatMap((file) =>
    participlesOf(codeOf(textOf(file))).map((name) => `${file}: ${name}`),
  );
  expect(named).toEqual([]);
});

test.each([
  ['export const { list, keyOf, require: requireBrand } = recordsOf(BRAND);', ['list', 'requireBrand']],
  ['export async function sell() {}', ['sell']],
  ['export type Row = string;\nconst hidden = 1;', ['Row']],
])('%s exports %j', (source, names) => {
  expect(exportsOf(source)).toEqual(names);
});

test.each([
  ['function shownText(text: string) {}', ['shownText']],
  ['  const folded = (text: string) => text;', ['folded']],
  ['const changedBy = async (id: number): Promise<void> => {}', ['changedBy']],
  ['function needsDesk() {}\nfunction foundingOf() {}\nconst told = tell();', []],
])('%s has the participles %j', (source, names) => {
  expect(participlesOf(source)).toEqual(names);
});

function exportsOf(code: string): string[] {
  const taken = [...code.matchAll(DESTRUCTURED)].flatMap(([, names = '']) =>
    [...names.matchAll(/(?:\w+: )?(\w+)/g)]
      .map(([, name = '']) => name)
      .filter((name) => !TAKEN_BY_NOUNS.has(name)),
  );
  return [...new Set([...[...code.matchAll(DECLARED)].map(([, name = '']) => name), ...taken])];
}

function participlesOf(code: string): string[] {
  const names = [...code.matchAll(FUNCTIONS)].map(([, declared, assigned]) => declared ?? assigned ?? '');
  return names.filter(
    (name) => IRREGULAR.test(name) || (/^[a-z]+ed(?![a-z])/.test(name) && !VERBS.test(name)),
  );
}
