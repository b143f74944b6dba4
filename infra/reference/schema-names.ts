import type { OperationObject } from './operations.ts';

/** Part of a request or response that has a schema. */
type Part = 'row' | 'page' | 'answer' | 'body';

/** Areas in the order in which their nouns get plain names: a company's unit is a `Unit`. */
const AREAS = ['company', 'common', 'admin', 'partner', 'external'];

/** Operations that return the noun itself, in the order of preference. */
const VERBS = ['index', 'store', 'create', 'show', 'update'];

/** Owners by which user schemas are distinguished. */
const OWNERS = ['company', 'partner'];

const PLAIN: Readonly<Record<Part, readonly string[]>> = {
  row: ['index', 'show'],
  page: ['index', 'show'],
  answer: VERBS,
  body: ['store', 'create', 'update'],
};

/** Suffixes of further schemas of a noun. */
const FURTHER: Readonly<Record<string, string>> = {
  index: 'list',
  store: 'made',
  show: 'details',
  update: 'edit',
};

const ENDINGS: Readonly<Record<Part, string>> = { row: '', page: 'Page', answer: '', body: 'Input' };

/**
 * Sorts operations: those that name their schemas by the noun alone come first, then those that only read,
 * so that rows of a list keep their name as further operations return one of them.
 */
export function inOrderOfNaming(operations: readonly OperationObject[]): OperationObject[] {
  const others = ({ method }: OperationObject) => VERBS.length + (method === 'GET' ? 1 : 2);
  const rankOf = (operation: OperationObject) =>
    (VERBS.indexOf(operation.verb) + 1 || others(operation)) * AREAS.length +
    AREAS.indexOf(operation.noun[0] ?? '');
  return operations.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Lists candidate names of a schema, from the shortest to one unique to the operation. */
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

/** Lists names of a noun: its word alone, with its owner, with the word before it. */
function wordsFor({ noun: [area = '', ...path] }: OperationObject): string[][] {
  const [last = '', before] = path.filter((word) => word !== 'public').toReversed();
  const owner = OWNERS.find((word) => path.includes(word) && word !== last);
  // A company's stock level is a `StockProduct`, the platform's template of a unit an `AdminUnit`.
  const further = area === 'company' ? before : area;
  return [[last], owner ? [owner, last] : [], further && further !== last ? [further, last] : []].filter(
    (words) => words.length > 0,
  );
}

function pascal(word: string): string {
  return word.replaceAll(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
