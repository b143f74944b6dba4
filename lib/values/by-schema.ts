import * as z from 'zod';
import { isReadAsWritten } from './fields.ts';

/* Values of callers, looked at along their schema before it judges them. */

/** Gives the schema of a value that is there. */
export function whenPresent(schema: unknown): unknown {
  const isWrapper =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapper ? whenPresent(schema.unwrap()) : schema;
}

/** Gives the schema that a value meets first, before it is made into something else. */
function firstOf(schema: unknown): unknown {
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

/** A JSON body: what it was parsed to, and its text. */
interface Json {
  readonly parsed: unknown;
  readonly text: string;
}

/**
 * Reads a JSON body as the schema wants it: numbers in fields of digits as they were written, booleans also
 * as `1`, `0`, `"1"` or `"0"`. All else stays as it was parsed.
 */
export function fromJson(schema: unknown, json: Json): unknown {
  return withBooleans(schema, asWritten(schema, json));
}

/** Takes booleans as clients with forms of old send them. Decisions, 1, "Booleans in JSON". */
function withBooleans(schema: unknown, value: unknown): unknown {
  if (schema === undefined) return value;
  if (firstOf(schema) instanceof z.ZodBoolean) return BOOLEANS.get(value) ?? value;
  const read = (part: unknown, name: PropertyKey) => withBooleans(subschema(schema, name), part);
  if (Array.isArray(value)) return value.map(read);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, read(part, name)]));
}

const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [1, true],
  ['1', true],
  [0, false],
  ['0', false],
]);

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Reads the numbers of a JSON body as they were written, for those fields of its schema that are `digits`;
 * the others stay as they were parsed.
 */
function asWritten(schema: unknown, { parsed, text }: Json): unknown {
  if (!(schema instanceof z.ZodObject) || !isRecord(parsed)) return parsed;
  const names = Object.keys(schema.shape).filter((name) => isReadAsWritten(schema.shape[name]));
  if (names.length === 0) return parsed;
  const written = [...numbersOf(text)].filter(([name]) => names.includes(name));
  return { ...parsed, ...Object.fromEntries(written) };
}

/** Finds the numbers of an object's own fields as its text has them. */
function numbersOf(text: string): Map<string, string> {
  const byHolder = new Map<unknown, Map<string, string>>();
  const root: unknown = JSON.parse(
    text,
    function (this: unknown, key: string, value: unknown, ...rest: Source[]) {
      const [context] = rest;
      if (typeof value === 'number' && context?.source !== undefined) {
        const numbers = byHolder.get(this) ?? new Map<string, string>();
        byHolder.set(this, numbers.set(key, context.source));
      }
      return value;
    },
  );
  return byHolder.get(root) ?? new Map();
}

/** What Node tells a reviver beside a value: its text. */
interface Source {
  readonly source?: string;
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
