import type * as z from 'zod';
import type { RefusalCode } from '#lib/values/messages/ru.ts';
import { isRefusalCode, type Phrase } from '#lib/values/messages/say.ts';
import { invalid, type Refusal } from '#lib/values/refusal.ts';

type Issue = z.core.$ZodIssue;

/**
 * Makes the 422 with every field that the schemas found wrong, each with its first problem. The schemas must
 * be parsed with `reportInput`, which tells an absent value from a wrong one.
 */
export function refusalOf(issues: readonly Issue[]): Refusal {
  const fields: Record<string, Phrase> = {};
  for (const [path, phrase] of issues.flatMap(problemsOf)) fields[path.join('.') || 'body'] ??= phrase;
  return invalid(fields);
}

function problemsOf(issue: Issue): [PropertyKey[], Phrase][] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((name) => [[...issue.path, name], { key: 'validation.unknown' }]);
  }
  return [[issue.path, phraseOf(issue)]];
}

function phraseOf(issue: Issue): Phrase {
  if (isRefusalCode(issue.message)) return { key: issue.message, ...paramsOf(issue) };
  if (issue.input === undefined || issue.input === null) return { key: 'validation.required' };
  switch (issue.code) {
    case 'invalid_type':
      return { key: typeKey(issue.expected) };
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

function unionPhrase(issue: Extract<Issue, { code: 'invalid_union' }>): Phrase {
  const last = issue.errors.at(-1)?.[0];
  return last ? phraseOf(last) : { key: 'validation.invalid' };
}

function typeKey(expected: string): RefusalCode {
  switch (expected) {
    case 'string':
      return 'validation.not_string';
    case 'number':
      return 'validation.not_number';
    case 'int':
      return 'validation.not_integer';
    case 'boolean':
      return 'validation.not_boolean';
    case 'array':
      return 'validation.not_list';
    case 'object':
      return 'validation.not_object';
    default:
      return 'validation.invalid';
  }
}

function tooSmall({ origin, minimum, inclusive }: Extract<Issue, { code: 'too_small' }>): Phrase {
  const min = Number(minimum);
  if (origin === 'string') return { key: 'validation.too_short', with: { min } };
  if (origin === 'array') return { key: 'validation.too_few_items', with: { min } };
  return { key: inclusive ? 'validation.too_small' : 'validation.not_above', with: { min } };
}

function tooBig({ origin, maximum, inclusive }: Extract<Issue, { code: 'too_big' }>): Phrase {
  const max = Number(maximum);
  if (origin === 'string') return { key: 'validation.too_long', with: { max } };
  if (origin === 'array') return { key: 'validation.too_many_items', with: { max } };
  return { key: inclusive ? 'validation.too_large' : 'validation.not_below', with: { max } };
}

function paramsOf(issue: Issue): Pick<Phrase, 'with'> {
  const params: unknown = issue.code === 'custom' ? issue.params : undefined;
  if (typeof params !== 'object' || params === null) return {};
  return { with: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)])) };
}
