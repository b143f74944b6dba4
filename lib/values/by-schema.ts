import * as z from 'zod';

/* Walks values of callers along their schema, before validation. */

/** Returns the schema of a value that is present. */
export function whenPresent(schema: unknown): unknown {
  const isWrapper =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapper ? whenPresent(schema.unwrap()) : schema;
}

/** Returns the schema that is applied to a value first, before any transformation. */
export function firstOf(schema: unknown): unknown {
  const present = whenPresent(schema);
  return present instanceof z.ZodPipe ? firstOf(present.in) : present;
}

/** Returns the schema of a list's items, or of a field of an object; undefined if the schema has none. */
export function subschema(schema: unknown, name: PropertyKey): unknown {
  const first = firstOf(schema);
  if (first instanceof z.ZodArray) return first.element;
  return first instanceof z.ZodObject && Object.hasOwn(first.shape, name)
    ? first.shape[String(name)]
    : undefined;
}

/** Returns true for a JSON object, false for lists and leaves. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Path = readonly PropertyKey[];

/** Unknown fields that a body may contain. */
interface AllowedFields {
  /** True in an edit, which may send a document's lines back as they were read, with ids. */
  readonly hasLineIds: boolean;
}

/** Returns the unknown fields of a value, at any depth. */
export function fieldsBeyond(schema: unknown, value: unknown, allowed: AllowedFields): Path[] {
  const first = firstOf(schema);
  if (first instanceof z.ZodUnion) return fewestBeyond(first.options, value, allowed);
  if (first instanceof z.ZodArray && Array.isArray(value)) {
    const paths = partsBeyond(first, value, allowed);
    return allowed.hasLineIds ? paths.filter(([, ...path]) => path.join('.') !== 'id') : paths;
  }
  if (!(first instanceof z.ZodObject && isRecord(value))) return [];
  const others = Object.keys(value).filter((name) => !Object.hasOwn(first.shape, name));
  // A strict or loose schema handles unknown fields itself.
  const unknown = first.def.catchall === undefined ? others.map((name) => [name]) : [];
  return [...unknown, ...partsBeyond(first, value, allowed)];
}

function partsBeyond(schema: unknown, value: object, allowed: AllowedFields): Path[] {
  return Object.entries(value).flatMap(([name, part]) =>
    fieldsBeyond(subschema(schema, name), part, allowed).map((path) => [name, ...path]),
  );
}

/** Returns the unknown fields of a union: those under the option that knows the most fields. */
function fewestBeyond(options: readonly unknown[], value: unknown, allowed: AllowedFields): Path[] {
  const fitting = options.map(firstOf).filter((option) => {
    if (option instanceof z.ZodArray) return Array.isArray(value);
    return !(option instanceof z.ZodObject) || isRecord(value);
  });
  const [fewest = []] = fitting
    .map((option) => fieldsBeyond(option, value, allowed))
    .sort((a, b) => a.length - b.length);
  return fewest;
}
