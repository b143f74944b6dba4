import * as z from 'zod';
import { isReadAsWritten } from './fields.ts';

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
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return withBooleans(schema.unwrap(), value);
  }
  if (schema instanceof z.ZodPipe) return withBooleans(schema.in, value);
  if (schema instanceof z.ZodBoolean) return BOOLEANS.get(value) ?? value;
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item) => withBooleans(schema.element, item));
  }
  if (schema instanceof z.ZodObject && isRecord(value)) return fieldsWithBooleans(schema, value);
  return value;
}

const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [1, true],
  ['1', true],
  [0, false],
  ['0', false],
]);

function fieldsWithBooleans(schema: z.ZodObject, value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withBooleans(shapeAt(schema, name), each)]),
  );
}

function shapeAt({ shape }: z.ZodObject, name: string): unknown {
  return Object.hasOwn(shape, name) ? shape[name] : undefined;
}

/** Tells whether a value of JSON is an object with fields. */
export function isRecord(value: unknown): value is Record<string, unknown> {
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
  const sources = numbersOf(text);
  const written = [...sources].filter(([name]) => names.includes(name));
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
