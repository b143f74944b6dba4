import { join } from 'node:path';
import * as z from 'zod';
import { ENUMERATION, ERROR_CODES } from '#lib/values/enumeration.ts';

export const ENUMERATIONS_FILE = join(import.meta.dirname, '../../lib/values/labels/enumerations.json');

const Listed = z.object({ enum: z.array(z.string()), [ENUMERATION]: z.string() });

/**
 * Lists the values of every enumeration of the reference by its list, a line each, but error codes, which
 * their messages list.
 */
export function serializeEnumerations(document: unknown): string {
  const found = enumerationsIn(document).filter(({ [ENUMERATION]: list }) => list !== ERROR_CODES);
  const lists = [...Map.groupBy(found, ({ [ENUMERATION]: list }) => list)];
  const lines = lists
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([list, its]) => `  "${list}": ${JSON.stringify(valuesOf(its.map((each) => each.enum)))}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** Finds the enumerations that name their list. */
function enumerationsIn(part: unknown): z.output<typeof Listed>[] {
  if (typeof part !== 'object' || part === null) return [];
  const { data: own } = Listed.safeParse(part);
  return [...(own ? [own] : []), ...Object.values(part).flatMap(enumerationsIn)];
}

/** Joins the values of the enumerations of a list: the longest has the order. */
function valuesOf(enumerations: readonly (readonly string[])[]): string[] {
  return [...new Set(enumerations.toSorted((a, b) => b.length - a.length).flat())];
}
