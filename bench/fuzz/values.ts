import type { Chance } from '#bench/kit/random.ts';
import type { Schema } from '#infra/reference/words/fields.ts';

/** How values are drawn: `wildness` is the part of them that no schema would let through, or only just. */
export interface FuzzDraw {
  readonly chance: Chance;
  readonly wildness: number;
}

const TEXTS = [
  ...[
    '',
    ' ',
    '0',
    '1',
    '-1',
    'null',
    'true',
    '1e3',
    '1e309',
    '0x10',
    '٣',
    '9007199254740993',
    '1,5',
    '=1+1',
  ],
  ...[
    '\u0000',
    'a\u0000b',
    '\u200b',
    '\u202eabc',
    '\ud800',
    '\ufeff',
    '\r\nX-Evil: 1',
    '%00',
    '%',
    '%ff',
    '+',
  ],
  ...['../../etc/passwd', '/public/../', 'file:///etc/passwd', '__proto__', 'constructor', "' or 1=1 --"],
  ...['<script>', '{{7*7}}', '#', '!state', '\ufdfa'.repeat(255), 'x'.repeat(255), 'x'.repeat(256)],
  ...['я'.repeat(5000), '👩‍🔧'.repeat(300), 'x'.repeat(70_000), 'x#'.repeat(600), '2026-02-30', '0000-01-01'],
  ...[
    '9999-12-31',
    '10000-01-01',
    '2026-11-21',
    '24:00',
    '00:00',
    '998901112233',
    '[]',
    '{}',
    '[[[[]]]]',
    'a[b]',
  ],
];

const NUMBERS = [
  ...[0, -0, -1, 1, 2, 0.1, 0.01, 0.001, 0.1 + 0.2, 1e-8, 1e-9, 1e-130, 1e-200, 5e-324, 1.005, 99.999],
  ...[
    1000,
    10_000_000,
    10_000_001,
    2 ** 31,
    2 ** 32,
    999_999_999_999.99,
    1_000_000_000_000,
    2 ** 53 - 1,
    2 ** 53,
  ],
  ...[2 ** 53 + 2, 10_000_000_000_000_000, 1e21, 1e125, 1e126, 1e308, -1e308, -999_999_999_999.99],
];

/** Texts that some field takes, to be tried where a pattern is asked for. */
const PATTERNED = [
  ...[
    '998901112233',
    '998935554433',
    '2026-11-21',
    '2026-12-31',
    '9999-12-31',
    '0000-01-01',
    '09:00',
    '23:59',
  ],
  ...[
    '123456789',
    '12345678901234',
    '12345',
    '20208000900000000001',
    'uploads',
    '100x100',
    '1x1',
    '41.3',
    '12',
  ],
  ...['8600000000000001', '1228', '111111', 'Fuzz-2026', 'fuzz.user', 'company.trade.sale.index', 'Имя', 'a'],
  ...['2026-11-21T10:00', '2026-11-21 10:00:00', '3f2504e0-4f89-41d3-9a0c-0305e82c3301', '1'],
];

/** Draws a value for a schema; its name tells what it may mean. */
export function valueFor(schema: Schema, name: string, draw: FuzzDraw): unknown {
  const { chance, wildness } = draw;
  return chance.next() < wildness ? wildValue(schema, draw) : fittingValue(schema, name, draw);
}

/** Draws a text that nobody expects. */
export function wildText({ chance }: Pick<FuzzDraw, 'chance'>): string {
  return chance.oneOf(TEXTS);
}

function wildValue(schema: Schema, draw: FuzzDraw): unknown {
  const { chance } = draw;
  const { type, minimum, maximum, maxLength, maxItems } = schema;
  const kind = chance.next();
  if (kind < 0.5 && (type === 'number' || type === 'integer')) {
    const edges = [minimum, maximum].flatMap((edge) => (typeof edge === 'number' ? around(edge) : []));
    return chance.oneOf([...NUMBERS, ...edges]);
  }
  if (kind < 0.5 && type === 'string') {
    const edges = maxLength === undefined ? [] : ['я'.repeat(maxLength), 'я'.repeat(maxLength + 1)];
    return chance.oneOf([...TEXTS, ...edges]);
  }
  if (kind < 0.5 && type === 'array' && isSchema(schema.items)) {
    const count = chance.oneOf([
      0,
      2,
      Math.min(maxItems ?? 100, 1000),
      Math.min((maxItems ?? 100) + 1, 1001),
    ]);
    const item = valueFor(schema.items, '', { chance, wildness: 0.1 });
    return Array.from({ length: count }, () => item);
  }
  const any = [null, true, [], {}, [null], [[[[[[[]]]]]]], { id: 1 }, [1, 1], ...NUMBERS, ...TEXTS];
  return chance.oneOf(any);
}

function fittingValue(schema: Schema, name: string, draw: FuzzDraw): unknown {
  const { chance } = draw;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return chance.oneOf(schema.enum);
  const [options] = [schema.anyOf, schema.oneOf, schema.allOf].filter((each) => each !== undefined);
  if (options) return valueFor(schemaAt(chance.oneOf(options)), name, draw);
  if (schema.type === 'object') return objectFor(schema, draw);
  if (schema.type === 'array') return arrayFor(schema, name, draw);
  if (schema.type === 'boolean') return chance.next() < 0.5;
  if (schema.type === 'integer' || schema.type === 'number') return numberFor(schema, name, draw);
  if (schema.type === 'string') return textFor(schema, name, draw);
  return chance.oneOf([null, 1, 'x', {}, []]);
}

function objectFor(
  { properties = {}, required = [], additionalProperties }: Schema,
  draw: FuzzDraw,
): unknown {
  const { chance, wildness } = draw;
  const asked = Object.entries(properties).filter(([name]) => required.includes(name) || chance.next() < 0.5);
  const fields = asked
    .filter(([name]) => !(required.includes(name) && chance.next() < wildness / 4))
    .map(([name, schema]): [string, unknown] => [name, valueFor(schemaAt(schema), name, draw)]);
  if (isSchema(additionalProperties) && fields.length === 0) {
    fields.push([chance.oneOf(['uzs', 'usd', 'cash', 'x']), valueFor(additionalProperties, '', draw)]);
  }
  if (chance.next() < wildness / 4) fields.push([chance.oneOf(TEXTS).slice(0, 300), chance.oneOf(NUMBERS)]);
  return Object.fromEntries(fields);
}

function arrayFor({ items, minItems = 0, maxItems = 3 }: Schema, name: string, draw: FuzzDraw): unknown[] {
  const count = draw.chance.between(minItems, Math.max(minItems, Math.min(maxItems, 3)));
  const schema = isSchema(items) ? items : {};
  return Array.from({ length: count }, () => valueFor(schema, name, draw));
}

function numberFor(
  { type, minimum = 0, maximum = 1e12 }: Schema,
  name: string,
  { chance }: FuzzDraw,
): number {
  if (/_ids?$|^(model|cashbox|company|id)$/.test(name)) return chance.between(1, 4);
  const most = Math.min(maximum, Math.max(minimum, chance.oneOf([1, 5, 20, 100, 10_000])));
  const least = Math.ceil(Math.max(minimum, 0));
  const whole = chance.between(least, Math.max(least, Math.floor(most)));
  if (type === 'integer' || chance.next() < 0.7) return whole;
  return chance.between(Math.ceil(minimum * 100), Math.floor(most * 100)) / 100;
}

function textFor({ pattern, format, maxLength = 100 }: Schema, name: string, { chance }: FuzzDraw): string {
  if (format === 'date')
    return chance.oneOf(['2026-11-21', '2026-12-31', '2027-01-15', '1990-02-28', '0000-01-01', '9999-12-31']);
  if (name.endsWith('password') || name.endsWith('password_confirmation')) return 'Fuzz-2026';
  if (name === 'image_old_keys') return '[]';
  if (pattern !== undefined) {
    const fitting = PATTERNED.filter((text) => new RegExp(pattern, 'u').test(text));
    return fitting.length > 0 ? chance.oneOf(fitting) : `fuzz.${chance.between(1, 100_000)}`;
  }
  if (name === 'path') return chance.oneOf(['public/x.png', 'uploads/x', `public/${chance.oneOf(TEXTS)}`]);
  if (name === 'username') return `fuzz.${chance.between(1, 1e9)}`;
  return `Fuzz ${chance.between(1, 1e9)}`.slice(0, maxLength);
}

function around(edge: number): number[] {
  return [edge, edge + 1, edge - 1, edge + 0.01, edge - 0.01];
}

function schemaAt(schema: unknown): Schema {
  return isSchema(schema) ? schema : {};
}

function isSchema(schema: unknown): schema is Schema {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema);
}
