import type { SeededRandom } from '#bench/support/random.ts';
import type { Schema } from '#infra/reference/descriptions/fields.ts';
import { NUMBERS, PATTERNED, TEXTS } from './literals.ts';

/** Options of random values: `wildness` is the share of invalid or barely valid ones. */
export interface FuzzDraw {
  readonly chance: SeededRandom;
  readonly wildness: number;
}

/** Draws a value for a schema; its name hints at its meaning. */
export function valueFor(schema: Schema, name: string, draw: FuzzDraw): unknown {
  const { chance, wildness } = draw;
  return chance.next() < wildness ? wildValue(schema, draw) : fittingValue(schema, name, draw);
}

/** Draws an unexpected text. */
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
  const chosen = Object.entries(properties).filter(
    ([name]) => required.includes(name) || chance.next() < 0.5,
  );
  const fields = chosen
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
  const max = Math.min(maximum, Math.max(minimum, chance.oneOf([1, 5, 20, 100, 10_000])));
  const least = Math.ceil(Math.max(minimum, 0));
  const whole = chance.between(least, Math.max(least, Math.floor(max)));
  if (type === 'integer' || chance.next() < 0.7) return whole;
  return chance.between(Math.ceil(minimum * 100), Math.floor(max * 100)) / 100;
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
