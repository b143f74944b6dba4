import bySchema from './by-schema.json' with { type: 'json' };
import goods from './goods.json' with { type: 'json' };
import money from './money.json' with { type: 'json' };
import people from './people.json' with { type: 'json' };
import wire from './wire.json' with { type: 'json' };

/** Descriptions by field name, for fields that mean the same in every schema. */
const BY_NAME: Readonly<Record<string, string>> = { ...goods, ...money, ...people, ...wire };

/** Descriptions by schema or parent field, and path: `Sale.products.price`. They take precedence. */
const BY_SCHEMA: Readonly<Record<string, string>> = bySchema;

/** Labels of wire names that differ from their term in the glossary. */
const LABELS: Readonly<Record<string, string>> = {
  batches: 'batch',
  cashbox: 'cash desk',
  'cashbox shift': 'shift',
  cheque: 'sale draft',
  creator: 'user who created it',
  'external key': 'key',
  inventory: 'stocktake',
  mfy: 'neighbourhood',
  operation: 'cash operation',
  products: 'line',
  purchase: 'goods receipt',
  'recalculation batch': 'repricing batch',
  refused: 'refused sale',
  responsible: 'responsible user',
  stock: 'warehouse',
  'stock product': 'stock level',
  transfer: 'stock transfer',
  updater: 'user who last changed it',
  'user profile': 'user',
  'webhook deliverie': 'delivery',
  writeoff: 'write-off',
};

/** Endings of names, with the description made of the words before it. */
const ENDINGS: readonly (readonly [RegExp, (label: string) => string])[] = [
  [/^(.+)_by_id$/, (action) => `Id of the user by whom the record was ${action}.`],
  [/^(.+)_id$/, (noun) => `Id of the ${noun}.`],
  [/^(.+)_ids$/, (noun) => `Ids of the ${noun.replace(/y$/, 'ie')}s.`],
  [/^last_(.+)_at$/, (action) => `Time the record was last ${action}; null if never.`],
  [/^(.+)_at$/, (action) => `Time the record was ${action}.`],
  [/^(.+)_count$/, (nouns) => `Number of ${nouns}.`],
  [/^(.+)_comment$/, (noun) => `Comment on the ${noun}; null if none.`],
  [/^is_(.+)$/, (state) => `Whether the record is ${state}.`],
];

/** Returns the description of a field by its name; undefined if unknown. */
export function describeField(name: string): string | undefined {
  if (Object.hasOwn(BY_NAME, name)) return BY_NAME[name];
  for (const [ending, sentence] of ENDINGS) {
    const words = ending.exec(name)?.at(-1);
    if (words !== undefined) return sentence(fieldLabel(words));
  }
  return undefined;
}

/** Fields that every noun has, described with its label. */
const OF_NOUN: Readonly<Record<string, (noun: string) => string>> = {
  id: (noun) => `Id of the ${noun}.`,
  name: (noun) => `Name of the ${noun}.`,
  full_name: (noun) => `Full name of the ${noun}.`,
};

/** Schemas and fields that show the noun of another schema. */
const SAME_NOUN: Readonly<Record<string, string>> = {
  CashboxShiftClose: 'CashboxShift',
  CompanyUser: 'User',
  CurrencyRateShowMain: 'CurrencyRate',
  exchange_of_sale: 'Sale',
  exchange_sale: 'Sale',
  exchanges: 'Sale',
  hours: 'SalesOfTime',
  meta: 'PageMeta',
  original_sale: 'Sale',
  PartnerUser: 'User',
  ProductBundle: 'Bundle',
  RefusedRetry: 'Sale',
  ReturnFiscal: 'Return',
  ReturnPreview: 'Sale',
  returns: 'Return',
  SaleCheckDetail: 'Sale',
  SaleExchange: 'Sale',
  SaleReturn: 'Return',
  today: 'SalesOfTime',
  UserKey: 'Key',
  UserProfile: 'User',
  week_ago: 'SalesOfTime',
  yesterday: 'SalesOfTime',
};

/** Suffixes of the names of schemas, after the noun. */
const SUFFIXES = /(Row|Input|Edit|Patch|Preview|Details|Made|Page)+$/;

/**
 * Returns the description of a field by its path. Of the descriptions by schema, the longest path wins; then
 * the name of the field decides.
 */
export function sentenceAt(path: readonly string[]): string | undefined {
  for (let from = 0; from < path.length - 1; from += 1) {
    const [first = '', ...rest] = path.slice(from);
    const key = schemasOf(first)
      .map((schema) => [schema, ...rest].join('.'))
      .find((each) => Object.hasOwn(BY_SCHEMA, each));
    if (key !== undefined) return BY_SCHEMA[key];
  }
  const name = path.at(-1) ?? '';
  return (path.length > 1 ? OF_NOUN[name]?.(nounLabel(path)) : undefined) ?? describeField(name);
}

/** Lists the names by which a schema may be described: its own, its noun's, and that of its kind. */
function schemasOf(name: string): string[] {
  const noun = nounIn(name);
  return [
    name,
    noun,
    SAME_NOUN[name] ?? SAME_NOUN[noun] ?? [],
    /^Report[A-Z]/.test(name) ? 'Report' : [],
  ].flat();
}

function nounIn(schema: string): string {
  return schema.replace(SUFFIXES, '').replace(/^(Admin|Trade)(?=[A-Z])/, '');
}

/** Returns the label of the noun that a field belongs to: that of the field above it, or of its schema. */
function nounLabel(path: readonly string[]): string {
  const above = path.at(-2) ?? '';
  if (above === 'profile') return 'user';
  const noun = nounIn(above);
  const words = SAME_NOUN[noun] ?? noun;
  if (!/^[A-Z]/.test(words)) return fieldLabel(words);
  return fieldLabel(words.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase());
}

/** Types of records whose schema isn't called by the last word. */
const NOUNS: Readonly<Record<string, string>> = {
  'cashbox.transfer': 'Operation',
  'stock.product': 'StockProduct',
  'stock.supplier.operation': 'SupplierOperation',
};

/** Returns the name of the schema of a type of records in sync: `trade.sale` is a `Sale`. */
export function nounOf(type: string): string {
  const word = type.slice(type.lastIndexOf('.') + 1);
  return NOUNS[type] ?? word.replaceAll(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns a wire name in words: `from_stock` is "source warehouse". */
export function fieldLabel(name: string): string {
  const [, direction, rest = ''] = /^(from_|to_)?(.+)$/.exec(name) ?? [];
  const words = rest.replaceAll(/[_.-]/g, ' ');
  const label = LABELS[words] ?? words;
  if (direction === undefined) return label;
  return `${direction === 'from_' ? 'source' : 'destination'} ${label}`;
}
