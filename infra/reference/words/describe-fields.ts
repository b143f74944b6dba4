import type { Schema } from './fields.ts';
import goods from './goods.json' with { type: 'json' };
import money from './money.json' with { type: 'json' };
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
};

/** Endings of names, and the sentence that each makes of what stands before it. */
const ENDINGS: readonly (readonly [RegExp, (what: string) => string])[] = [
  [/^(.+)_by_id$/, (what) => `The id of the user by whom it was ${what}.`],
  [/^(.+)_id$/, (what) => `The id of the ${what}.`],
  [/^(.+)_ids$/, (what) => `The ids of the ${what}s.`],
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
    if (what !== undefined) return sentence(wordsOf(what));
  }
  return undefined;
}

/** What a schema is made of, beside its properties: another one, or a list of others. */
const PARTS = ['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf', 'prefixItems'];

/**
 * Describes every field of a schema that has no description yet, and names the fields of a map whose keys are
 * all known, which generators of clients could not see otherwise.
 */
export function describeFields(schema: Schema): Schema {
  const described = Object.entries(namingKeys(schema)).map(([key, value]) => {
    if (key === 'properties') return [key, describeEach(Object(value))];
    return [key, PARTS.includes(key) ? describePart(value) : value];
  });
  return Object.fromEntries(described);
}

function describeEach(fields: object) {
  const described = Object.entries(fields).map(([name, field]) => [
    name,
    describe(name, describePart(field)),
  ]);
  return Object.fromEntries(described);
}

function describePart(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(describePart);
  return typeof part === 'object' && part !== null ? describeFields({ ...part }) : part;
}

function describe(name: string, field: unknown): unknown {
  const sentence = describeField(name);
  if (typeof field !== 'object' || sentence === undefined) return field;
  const { description: further }: Schema = { ...field };
  if (further === undefined) return { ...field, description: sentence };
  const rest = `${further.charAt(0).toUpperCase()}${further.slice(1)}`;
  return further.endsWith('.') ? field : { ...field, description: `${sentence} ${rest}.` };
}

function namingKeys(schema: Schema): Schema {
  const { propertyNames, additionalProperties, ...rest } = schema;
  const names = typeof propertyNames === 'object' ? (propertyNames.enum ?? []) : [];
  if (names.length === 0 || typeof additionalProperties !== 'object') return schema;
  return {
    ...rest,
    properties: Object.fromEntries(names.map((name) => [String(name), additionalProperties])),
  };
}

/** Says a name of the wire as people do. */
export function wordsOf(name: string): string {
  const [, first, rest] = /^(from_|to_)?(.+)$/.exec(name) ?? [];
  const word = SAID[rest ?? ''] ?? rest?.replaceAll(/[_.-]/g, ' ') ?? '';
  return first === undefined ? word : `${word} ${first === 'from_' ? 'it comes from' : 'it goes to'}`;
}
