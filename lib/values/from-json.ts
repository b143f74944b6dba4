import * as z from 'zod';

/**
 * Reads a JSON body as the schema wants it: a boolean may come as `1`, `0`, `"1"` or `"0"`, as clients with
 * forms of old send it. All else stays as it is. Decisions, 1, "Booleans in JSON".
 */
export function fromJson(schema: unknown, value: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return fromJson(schema.unwrap(), value);
  }
  if (schema instanceof z.ZodPipe) return fromJson(schema.in, value);
  if (schema instanceof z.ZodBoolean) return BOOLEANS.get(value) ?? value;
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item) => fromJson(schema.element, item));
  }
  if (schema instanceof z.ZodObject && isRecord(value)) return fieldsFromJson(schema, value);
  return value;
}

const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [1, true],
  ['1', true],
  [0, false],
  ['0', false],
]);

function fieldsFromJson(schema: z.ZodObject, value: Record<string, unknown>): Record<string, unknown> {
  const fields = Object.entries(value).map(([name, each]) => [name, fromJson(shapeAt(schema, name), each)]);
  return Object.fromEntries(fields);
}

function shapeAt({ shape }: z.ZodObject, name: string): unknown {
  return Object.hasOwn(shape, name) ? shape[name] : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
