import * as z from 'zod';
import { isReadAsWritten } from './fields.ts';

/**
 * Reads the numbers of a JSON body as they were written, for those fields of its schema that are `digits`;
 * the others stay as they were parsed.
 */
export function asWritten(schema: unknown, text: string, parsed: unknown): unknown {
  if (!(schema instanceof z.ZodObject) || !isObject(parsed)) return parsed;
  const names = Object.keys(schema.shape).filter((name) => isReadAsWritten(schema.shape[name]));
  if (names.length === 0) return parsed;
  const sources = numbersOf(text);
  const written = names.flatMap((name) => (sources.has(name) ? [[name, sources.get(name)]] : []));
  return { ...parsed, ...Object.fromEntries(written) };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
