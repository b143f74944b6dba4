import goods from './goods.json' with { type: 'json' };
import money from './money.json' with { type: 'json' };
import own from './own.json' with { type: 'json' };
import people from './people.json' with { type: 'json' };
import wire from './wire.json' with { type: 'json' };

const SENTENCES: Readonly<Record<string, string>> = { ...goods, ...money, ...people, ...wire };

/** Words of the wire that people don't say. */
const SAID: Readonly<Record<string, string>> = {
  cashbox: 'cash desk',
  stock: 'warehouse',
  sale: 'cheque',
  purchase: 'receipt',
  inventory: 'count',
  creator: 'user who made it',
  updater: 'user who changed it last',
  parent: 'record above',
  responsible: 'user who answers for it',
  mfy: 'neighbourhood',
  writeoff: 'write-off',
};

/** Endings of names, and the sentence that each makes of what stands before it. */
const ENDINGS: readonly (readonly [RegExp, (what: string) => string])[] = [
  [/^(.+)_by_id$/, (what) => `The id of the user by whom it was ${what}.`],
  [/^(.+)_id$/, (what) => `The id of the ${what}.`],
  [/^(.+)_ids$/, (what) => `The ids of the ${what.replace(/y$/, 'ie')}s.`],
  [/^last_(.+)_at$/, (what) => `When it was ${what} last; null if it never was.`],
  [/^(.+)_at$/, (what) => `When it was ${what}.`],
  [/^amount_(usd|uzs|eur|rub)$/, (what) => `The amount in ${what}.`],
  [/^(.+)_count$/, (what) => `How many ${what} there are.`],
  [/^(.+)_comment$/, (what) => `A remark on the ${what}, for people.`],
  [/^(.+)_currency$/, (what) => `The currency of the ${what}.`],
  [/^(.+)_days$/, (what) => `How many days it is ${what}.`],
  [/^(.+)_balances?$/, (what) => `The ${what} balance.`],
  [/^is_(.+)$/, (what) => `True if it is ${what}.`],
  [/^(can|has)_(.+)$/, (what) => `True if there is ${what}.`],
];

/** Says in a sentence what a field is, by its name; undefined if nothing is known of it. */
export function describeField(name: string): string | undefined {
  if (Object.hasOwn(SENTENCES, name)) return SENTENCES[name];
  for (const [ending, sentence] of ENDINGS) {
    const what = ending.exec(name)?.at(-1);
    if (what !== undefined) return sentence(fieldLabel(what));
  }
  return undefined;
}

const OWN: Readonly<Record<string, string>> = own;

/** What names are of whom, where their own words say no more: by the field above, or by the schema. */
const NAMES: Readonly<Record<string, (of: string) => string>> = {
  name: (of) => `The name of the ${of}.`,
  full_name: (of) => `The full name of the ${of}.`,
  first_name: (of) => `The first name of the ${of}.`,
};

/** Endings of the names of schemas: what they are of stands before them. */
const KINDS = /(Row|Input|Edit|Details|Made|Page)+$/;

/**
 * Says what a field is by its place: in words of its own, those of the fields above it first; by whose name
 * it is; or else as any field of its name.
 */
export function sentenceAt(path: readonly string[]): string | undefined {
  for (let from = 0; from < path.length; from += 1) {
    const [first = '', ...rest] = path.slice(from);
    const found = owners(first).find((owner) => Object.hasOwn(OWN, [owner, ...rest].join('.')));
    if (found !== undefined) return OWN[[found, ...rest].join('.')];
  }
  const name = path.at(-1) ?? '';
  return describeField(name) ?? (path.length > 1 ? NAMES[name]?.(ownerOf(path)) : undefined);
}

/** Lists what a schema is called among own words: by its name, without its ending, and as one of several. */
function owners(name: string): string[] {
  const plain = name.replace(KINDS, '').replace(/^(Admin|Trade)(?=[A-Z])/, '');
  return [name, plain, ...(/^Report[A-Z]/.test(name) ? ['Report'] : [])];
}

/** Says whose a name is. */
function ownerOf(path: readonly string[]): string {
  const above = path.at(-2) ?? '';
  if (above === 'profile') return 'user';
  const plain = owners(above)[1] ?? above;
  if (!/^[A-Z]/.test(plain)) return fieldLabel(plain);
  return fieldLabel(plain.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase());
}

/** Makes the name of a noun's schema of a type of records in a copy: `trade.sale` is a `Sale`. */
export function nounOf(type: string): string {
  const words = type === 'stock.product' ? type : type.slice(type.lastIndexOf('.') + 1);
  return words.replaceAll(/(?:^|[-_.])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Says a name of the wire as people do. */
export function fieldLabel(name: string): string {
  const [, first, rest] = /^(from_|to_)?(.+)$/.exec(name) ?? [];
  const word = SAID[rest ?? ''] ?? rest?.replaceAll(/[_.-]/g, ' ') ?? '';
  return first === undefined ? word : `${word} ${first === 'from_' ? 'it comes from' : 'it goes to'}`;
}
