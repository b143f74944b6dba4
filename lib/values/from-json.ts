import * as z from 'zod';
import { firstOf, isRecord, subschema } from './by-schema.ts';
import { isReadAsWritten } from './fields.ts';
import { whatIsTold } from './tell-as.ts';

/** A JSON body, parsed and as text. */
interface Json {
  readonly parsed: unknown;
  readonly text: string;
}

/**
 * Converts a JSON body to its schema: digit fields keep the digits of the text, numbers may be strings,
 * booleans may be `1`, `0`, `"1"` or `"0"`. Everything else stays as parsed.
 */
export function fromJson(schema: unknown, json: Json): unknown {
  return withScalars(schema, asWritten(schema, json));
}

/**
 * Converts numbers and booleans as legacy form clients send them. Contract 1, "Booleans in JSON", and 9
 * (130).
 */
function withScalars(schema: unknown, value: unknown): unknown {
  const documented = schema instanceof z.ZodType ? whatIsTold(schema) : schema;
  const first = optionFor(firstOf(documented), value);
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

/** Returns true for the canonical text of a number: `2`, `-1000.5`. */
function isNumeral(value: unknown): value is string {
  return typeof value === 'string' && /^(?!-0$)-?(0|[1-9]\d*)(\.\d*[1-9])?$/.test(value);
}

/** Returns the option of a union that fits a value. */
function optionFor(schema: unknown, value: unknown): unknown {
  if (!(schema instanceof z.ZodUnion)) return schema;
  const options: readonly unknown[] = schema.options.map(firstOf);
  if (Array.isArray(value)) return options.find((option) => option instanceof z.ZodArray);
  if (isRecord(value)) return objectFor(options, value);
  const isText = typeof value === 'string' && options.some((option) => option instanceof z.ZodString);
  return isText ? undefined : options.find((option) => option instanceof z.ZodNumber);
}

/** Returns the object option whose literals match a value, and that knows the most of its fields. */
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

/** Takes the numbers in `digits` fields from the body's text; the others stay as parsed. */
function asWritten(schema: unknown, { parsed, text }: Json): unknown {
  if (!(schema instanceof z.ZodObject) || !isRecord(parsed)) return parsed;
  const names = Object.keys(schema.shape).filter((name) => isReadAsWritten(schema.shape[name]));
  if (names.length === 0) return parsed;
  const written = [...numbersOf(text)].filter(([name]) => names.includes(name));
  return { ...parsed, ...Object.fromEntries(written) };
}

/** Returns the source text of the numbers in an object's own fields. */
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

/** The context argument of a JSON reviver in Node: the value's source text. */
interface Source {
  readonly source?: string;
}
