import { RIGHT_OF_FIELD } from '#lib/values/cost.ts';
import type { Schema } from './fields.ts';
import { nounOf, sentenceAt } from './sentences.ts';

/** Keywords whose value is a schema, or a list of schemas. */
const PARTS = ['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf', 'prefixItems'];

/** Path of a field: the name of its schema, then the names of the fields down to it. */
export type FieldPath = readonly string[];

/**
 * Describes every field of a schema that has no description yet, by its path. Lists the keys of a map as
 * properties if all are known: generators of clients ignore `propertyNames`.
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

/** Returns the noun of a record in sync, which is in `type` beside it. */
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
  const { description: format }: Schema = { ...field };
  const sentence = withRight(sentenceAt(path), rightOf(field));
  if (sentence === undefined) return field;
  if (format === undefined) return { ...field, description: sentence };
  if (format.endsWith('.')) return field;
  const further = `${format.charAt(0).toUpperCase()}${format.slice(1)}`;
  return { ...field, description: `${sentence} ${further}.` };
}

/** Adds that a field is null without a right. */
function withRight(sentence: string | undefined, right: string | undefined): string | undefined {
  return sentence && right ? `${sentence} Null without the right \`${right}\`.` : sentence;
}

function rightOf(field: unknown): string | undefined {
  const { [RIGHT_OF_FIELD]: right, anyOf = [] } = Object(field);
  if (typeof right === 'string') return right;
  return anyOf.map(rightOf).find((each: unknown) => each !== undefined);
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
