import * as z from 'zod';

/* Values of callers, looked at along their schema before it judges them. */

/** Gives the schema of a value that is there. */
export function whenPresent(schema: unknown): unknown {
  const isWrapper =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapper ? whenPresent(schema.unwrap()) : schema;
}

/** Gives the schema that a value meets first, before it is made into something else. */
export function firstOf(schema: unknown): unknown {
  const present = whenPresent(schema);
  return present instanceof z.ZodPipe ? firstOf(present.in) : present;
}

/** Gives the schema of a list's items, or of a field of an object; undefined if it says nothing of them. */
export function subschema(schema: unknown, name: PropertyKey): unknown {
  const first = firstOf(schema);
  if (first instanceof z.ZodArray) return first.element;
  return first instanceof z.ZodObject && Object.hasOwn(first.shape, name)
    ? first.shape[String(name)]
    : undefined;
}

/** Tells an object of JSON from a list and a leaf. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Path = readonly PropertyKey[];

/** What a body may have beside the fields of its schema. */
interface Leeway {
  /** True in an edit: it may bring back a document's lines as they were read. */
  readonly hasLineIds: boolean;
}

/** Finds the fields of a value that its schema doesn't name, at any depth. */
export function fieldsBeyond(schema: unknown, value: unknown, leeway: Leeway): Path[] {
  const first = firstOf(schema);
  if (first instanceof z.ZodUnion) return leastBeyond(first.options, value, leeway);
  if (first instanceof z.ZodArray && Array.isArray(value)) {
    const paths = partsBeyond(first, value, leeway);
    return leeway.hasLineIds ? paths.filter(([, ...path]) => path.join('.') !== 'id') : paths;
  }
  if (!(first instanceof z.ZodObject && isRecord(value))) return [];
  const others = Object.keys(value).filter((name) => !Object.hasOwn(first.shape, name));
  // A strict or a loose schema decides about other fields by itself.
  const unknown = first.def.catchall === undefined ? others.map((name) => [name]) : [];
  return [...unknown, ...partsBeyond(first, value, leeway)];
}

function partsBeyond(schema: unknown, value: object, leeway: Leeway): Path[] {
  return Object.entries(value).flatMap(([name, part]) =>
    fieldsBeyond(subschema(schema, name), part, leeway).map((path) => [name, ...path]),
  );
}

/**
 * Lists the unknown fields of a union: of several ways to read a value, the one that knows most of it counts.
 */
function leastBeyond(options: readonly unknown[], value: unknown, leeway: Leeway): Path[] {
  const fitting = options.map(firstOf).filter((option) => {
    if (option instanceof z.ZodArray) return Array.isArray(value);
    return !(option instanceof z.ZodObject) || isRecord(value);
  });
  const [least = []] = fitting
    .map((option) => fieldsBeyond(option, value, leeway))
    .sort((a, b) => a.length - b.length);
  return least;
}
