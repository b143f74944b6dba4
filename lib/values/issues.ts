import type * as z from 'zod';
import { subschema, whenPresent } from './by-schema.ts';
import { Repeated } from './from-text.ts';
import { isLocalized } from './localized.ts';
import { type ErrorCode, isErrorCode, type MessageDescriptor } from './message.ts';
import { LOCALES } from './text.ts';
import type { ValidationIssues } from './validation-issues.ts';

type Issue = z.core.$ZodIssue;

/**
 * Adds a schema's issues. The schema must have parsed with `reportInput`, which distinguishes absent values
 * from invalid ones.
 */
export function addIssues(
  problems: ValidationIssues,
  schema: z.ZodType | undefined,
  issues: readonly Issue[],
): void {
  for (const issue of issues) addIssue(problems, schema, issue);
}

function addIssue(issues: ValidationIssues, schema: unknown, issue: Issue): void {
  if (issue.code === 'invalid_type' && isLocalized(whenPresent(issue.path.reduce(subschema, schema)))) {
    for (const locale of LOCALES) issues.add(fieldAt([...issue.path, locale]), 'validation.required');
  } else if (issue.code === 'unrecognized_keys') {
    for (const name of issue.keys) issues.add(fieldAt([...issue.path, name]), 'validation.unknown');
  } else {
    issues.add(fieldAt(issue.path), phraseOf(issue));
  }
}

/** Returns the field name of a path. */
export function fieldAt(path: readonly PropertyKey[]): string {
  return path.join('.') || 'body';
}

function phraseOf(issue: Issue): MessageDescriptor {
  if (issue.input instanceof Repeated) return { key: 'validation.duplicate' };
  if (isErrorCode(issue.message)) return { key: issue.message, ...paramsOf(issue) };
  if (issue.input === undefined || issue.input === null) return { key: 'validation.required' };
  switch (issue.code) {
    case 'invalid_type':
      return { key: TYPES[issue.expected] ?? 'validation.invalid' };
    case 'invalid_value':
      return { key: 'validation.not_one_of', with: { values: issue.values.join(', ') } };
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    case 'not_multiple_of':
      return { key: 'validation.not_multiple', with: { step: issue.divisor } };
    case 'invalid_format':
      return { key: 'validation.wrong_format' };
    case 'invalid_union':
      return unionPhrase(issue);
    default:
      return { key: 'validation.invalid' };
  }
}

/** Describes a failed union by the last option of the value's type, or else by the last option. */
function unionPhrase(issue: Extract<Issue, { code: 'invalid_union' }>): MessageDescriptor {
  const ofItsType = issue.errors.filter(([first]) => first && !isOfOtherType(first));
  const [first] = ofItsType.at(-1) ?? issue.errors.at(-1) ?? [];
  return first ? phraseOf(first) : { key: 'validation.invalid' };
}

function isOfOtherType({ code, path }: Issue): boolean {
  return code === 'invalid_type' && path.length === 0;
}

const TYPES: Readonly<Record<string, ErrorCode>> = {
  string: 'validation.not_string',
  number: 'validation.not_number',
  int: 'validation.not_integer',
  boolean: 'validation.not_boolean',
  array: 'validation.not_list',
  object: 'validation.not_object',
};

function tooSmall({ origin, minimum, inclusive }: Extract<Issue, { code: 'too_small' }>): MessageDescriptor {
  const min = Number(minimum);
  if (origin === 'string') return { key: 'validation.too_short', with: { min } };
  if (origin === 'array') return { key: 'validation.too_few_items', with: { min } };
  return { key: inclusive ? 'validation.too_small' : 'validation.not_above', with: { min } };
}

function tooBig({ origin, maximum, inclusive }: Extract<Issue, { code: 'too_big' }>): MessageDescriptor {
  const max = Number(maximum);
  if (origin === 'string') return { key: 'validation.too_long', with: { max } };
  if (origin === 'array') return { key: 'validation.too_many_items', with: { max } };
  return { key: inclusive ? 'validation.too_large' : 'validation.not_below', with: { max } };
}

function paramsOf(issue: Issue): Pick<MessageDescriptor, 'with'> {
  const params: unknown = issue.code === 'custom' ? issue.params : undefined;
  if (typeof params !== 'object' || params === null) return {};
  return {
    with: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, textOrNumber(value)])),
  };
}

function textOrNumber(value: unknown): string | number {
  return typeof value === 'number' ? value : String(value);
}
