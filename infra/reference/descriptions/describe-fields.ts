import type { Schema } from './fields.ts';
import { nounOf, sentenceAt } from './sentences.ts';

/** What a schema is made of, beside its properties: another one, or a list of others. */
const PARTS = ['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf', 'prefixItems'];

/** The place of a field: the schema that has a name, and the fields down to it. */
export type FieldPath = readonly string[];

/**
 * Describes every field of a schema that has no description yet, by its place. Names the fields of a map
 * whose keys are all known, which generators of clients could not see otherwise.
 */
export function describeFields(schema: Schema, path: FieldPath = []): Schema {
  const described = Object.entries(namingKeys(schema)).map(([key, value]) => {
    if (key === 'properties') return [key, describeEach(Object(value), path)];
    return [key, PARTS.includes(key) ? describePart(value, path) : value];
  });
  return Object.fromEntries(described);
}

function describeEach(fields: Record<string, unknown>, path: FieldPath) {
  const described = Object.entries(fields).map(([name, field]) => {
    const at = name === 'record' ? [...path, name, ...recordOf(fields)] : [...path, name];
    return [name, describe([...path, name], describePart(field, at))];
  });
  return Object.fromEntries(described);
}

/** Names the noun of a record in a copy, which its entry tells beside it. */
function recordOf(fields: Record<string, unknown>): string[] {
  const { const: type } = Object(fields['type']);
  return typeof type === 'string' ? [nounOf(type)] : [];
}

function describePart(part: unknown, path: FieldPath): unknown {
  if (Array.isArray(part)) return part.map((each) => describePart(each, path));
  return typeof part === 'object' && part !== null ? describeFields({ ...part }, path) : part;
}

function describe(path: FieldPath, field: unknown): unknown {
  if (typeof field !== 'object') return field;
  const { description: further, type }: Schema = { ...field };
  const said = sentenceAt(path);
  if (said === undefined) return field;
  // What a setting of the invoice is named after is not its value.
  const sentence = type === 'boolean' && isOfInvoice(path) ? `Whether the invoice shows this: ${said}` : said;
  if (further === undefined) return { ...field, description: sentence };
  const rest = `${further.charAt(0).toUpperCase()}${further.slice(1)}`;
  return further.endsWith('.') ? field : { ...field, description: `${sentence} ${rest}.` };
}

function isOfInvoice(path: FieldPath): boolean {
  const [first = ''] = path;
  return path.includes('invoice_settings') || (first === 'SaleInvoice' && path.includes('settings'));
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
