import * as z from 'zod';
import { firstOf, isRecord, subschema } from './by-schema.ts';
import { isReadAsWritten } from './fields.ts';
import { whatIsTold } from './tell-as.ts';

/** A JSON body: what it was parsed to, and its text. */
interface Json {
  readonly parsed: unknown;
  readonly text: string;
}

/**
 * Reads a JSON body as the schema wants it: numbers in fields of digits as they were written, numbers also as
 * their texts, booleans also as `1`, `0`, `"1"` or `"0"`. All else stays as it was parsed.
 */
export function fromJson(schema: unknown, json: Json): unknown {
  return withScalars(schema, asWritten(schema, json));
}

/**
 * Takes numbers and booleans as clients with forms of old send them. Contract 1, "Booleans in JSON", and 9
 * (130).
 */
function withScalars(schema: unknown, value: unknown): unknown {
  const meant = schema instanceof z.ZodType ? whatIsTold(schema) : schema;
  const first = optionFor(firstOf(meant), value);
  if (first === undefined) return value;
  if (first instanceof z.ZodBoolean) return BOOLEANS.get(value) ?? value;
  if (first instanceof z.ZodNumber) return isNumeral(value) ? Number(value) : value;
  const read = (part: unknown, name: PropertyKey) => withScalars(subschema(first, name), part);
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

/** Tells whether a value is the text of a number in its one spelling: `2`, `-1000.5`. */
function isNumeral(value: unknown): value is string {
  return typeof value === 'string' && /^(?!-0$)-?(0|[1-9]\d*)(\.\d*[1-9])?$/.test(value);
}

/** Finds the way to read a value that it is meant for, if there are several. */
function optionFor(schema: unknown, value: unknown): unknown {
  if (!(schema instanceof z.ZodUnion)) return schema;
  const options: readonly unknown[] = schema.options.map(firstOf);
  if (Array.isArray(value)) return options.find((option) => option instanceof z.ZodArray);
  if (isRecord(value)) return objectFor(options, value);
  const isText = typeof value === 'string' && options.some((option) => option instanceof z.ZodString);
  return isText ? undefined : options.find((option) => option instanceof z.ZodNumber);
}

/** Chooses the object that has what a value must have to the letter, and knows most of its fields. */
function objectFor(options: readonly unknown[], value: Record<string, unknown>): unknown {
  const fitting = options.flatMap((option) => {
    if (!(option instanceof z.ZodObject)) return [];
    const isOther = Object.entries(option.shape).some(
      ([name, field]) => field instanceof z.ZodLiteral && !field.safeParse(value[name]).success,
    );
    return isOther
      ? []
      : [{ option, known: Object.keys(value).filter((name) => name in option.shape).length }];
  });
  return fitting.toSorted((a, b) => b.known - a.known)[0]?.option;
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
