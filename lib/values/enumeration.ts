import * as z from 'zod';
import type ru from './labels/ru.json';
import type uz from './labels/uz.json';

/** Values that have a label in every language under the name of their list. */
type LabeledValue<N extends string> = keyof typeof ru & keyof typeof uz extends infer K
  ? K extends `${N}.${infer V}`
    ? V
    : never
  : never;

/**
 * Returns the schema of an enumeration of the API. Its labels are in `lib/values/labels/` under the name of
 * its list, which several enumerations may share, each with some of its values. Part 5, 5B.3.
 */
export function enumeration<const N extends string, const V extends readonly LabeledValue<N>[]>(
  list: N,
  values: V,
) {
  return z.enum(values).meta({ [ENUMERATION]: list });
}

/** The list of types of records. */
export const NOUNS = 'noun';

/** The list of event types, whose labels are those of their nouns and verbs. */
export const EVENTS = 'event';

/** The list of error codes, whose labels are their messages. */
export const ERROR_CODES = 'error_code';

/** The keyword in the reference by which an enumeration names its list. */
export const ENUMERATION = 'x-enum';
