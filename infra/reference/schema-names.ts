import type { OperationObject } from './operations.ts';

/** What an operation takes or gives. */
type Part = 'row' | 'page' | 'answer' | 'body';

/** Areas, those first whose nouns keep their plain names: a company's unit is a `Unit`. */
const AREAS = ['company', 'common', 'admin', 'partner', 'external'];

/** Operations that show a noun itself, those first that show it most plainly. */
const VERBS = ['index', 'store', 'create', 'show', 'update'];

/** Owners of users: they are told by them. */
const OWNERS = ['company', 'partner'];

const PLAIN: Readonly<Record<Part, readonly string[]>> = {
  row: ['index', 'show'],
  page: ['index', 'show'],
  answer: VERBS,
  body: ['store', 'create', 'update'],
};

/** What is said of a second schema that a noun has. */
const FURTHER: Readonly<Record<string, string>> = {
  index: 'list',
  store: 'made',
  show: 'details',
  update: 'edit',
};

const ENDINGS: Readonly<Record<Part, string>> = { row: '', page: 'Page', answer: '', body: 'Input' };

/** Sorts operations, those first that name their schemas by the noun alone. */
export function inOrderOfNaming(operations: readonly OperationObject[]): OperationObject[] {
  const rankOf = ({ noun: [area = ''], verb }: OperationObject) =>
    (VERBS.indexOf(verb) + 1 || VERBS.length + 1) * AREAS.length + AREAS.indexOf(area);
  return operations.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Lists names for a schema, from the shortest to one that is the operation's alone. */
export function namesOf(operation: OperationObject, part: Part): string[] {
  const { verb } = operation;
  const action = part === 'row' ? verb.replace(/s$/, '') : verb;
  const nouns = wordsFor(operation);
  const names = [
    ...(PLAIN[part].includes(verb) ? nouns : []),
    ...nouns.map((words) => [...words, FURTHER[verb] ?? action]),
    operation.id.split('.'),
  ];
  return names.map((words) => `${words.map(pascal).join('')}${ENDINGS[part]}`);
}

/** Lists what a noun may be called: by its word, by its owner, by what stands before it. */
function wordsFor({ noun: [area = '', ...path] }: OperationObject): string[][] {
  const [last = '', before] = path.filter((word) => word !== 'public').toReversed();
  const owner = OWNERS.find((word) => path.includes(word) && word !== last);
  // A company's goods in stock are a `StockLevelRow`, what the platform has of a unit is an `AdminUnit`.
  const further = area === 'company' ? before : area;
  return [[last], owner ? [owner, last] : [], further && further !== last ? [further, last] : []].filter(
    (words) => words.length > 0,
  );
}

function pascal(word: string): string {
  return word.replaceAll(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
