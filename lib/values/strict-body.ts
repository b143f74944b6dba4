import type * as z from 'zod';
import { fieldsBeyond } from './by-schema.ts';
import { fromJson } from './from-json.ts';
import { addIssues, fieldAt } from './issues.ts';
import { ValidationIssues } from './validation-issues.ts';

/** Limit of reported unknown fields. */
const MAX_REPORTED = 100;

/**
 * Parses part of a body like the body of a strict operation. 422 with all failing fields, by their paths in
 * that part.
 */
export function parseStrictBody<S extends z.ZodType>(schema: S, sent: unknown): z.output<S> {
  const issues = new ValidationIssues();
  const parsed = fromJson(schema, { parsed: sent, text: '{}' });
  const read = schema.safeParse(parsed, { reportInput: true });
  if (read.error) addIssues(issues, schema, read.error.issues);
  const unknown = fieldsBeyond(schema, sent, { hasLineIds: false });
  for (const path of unknown.slice(0, MAX_REPORTED)) issues.add(fieldAt(path), 'validation.unknown');
  if (issues.areAny || !read.success) throw issues.refusal;
  return read.data;
}
