import type { JsonSchema } from './contract.ts';

/** Limits from below: a greater one is narrower. */
const LEAST = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'] as const;

/** Limits from above: a smaller one is narrower. */
const GREATEST = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'] as const;

/** Rules without an order: any other value counts as narrower. */
const OTHER = ['pattern', 'format', 'multipleOf', 'propertyNames', 'uniqueItems', 'not'] as const;

/** Lists the limits of a schema that are narrower than before. */
export function narrowerLimits(before: JsonSchema, after: JsonSchema): string[] {
  return [
    ...LEAST.filter((limit) => (after[limit] ?? -Infinity) > (before[limit] ?? -Infinity)),
    ...GREATEST.filter((limit) => (after[limit] ?? Infinity) < (before[limit] ?? Infinity)),
    ...OTHER.filter((rule) => after[rule] !== undefined && !isSameJson(after[rule], before[rule])),
  ].map((limit) => `${limit} ${JSON.stringify(after[limit])}`);
}

/** Compares two values of JSON. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
