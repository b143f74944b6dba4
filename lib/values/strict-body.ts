import type * as z from 'zod';
import { fieldsBeyond } from './by-schema.ts';
import { fromJson } from './from-json.ts';
import { addIssues, fieldAt } from './issues.ts';
import { ValidationIssues } from './validation-issues.ts';

/** More unknown fields than anyone needs to be told of. */
const MAX_TOLD = 100;

/**
 * Reads a part of a body as the body of a strict operation is read. 422 with all failing fields, by their
 * paths in that part.
 */
export function parseStrictBody<S extends z.ZodType>(schema: S, sent: unknown): z.output<S> {
  const issues = new ValidationIssues();
  const parsed = fromJson(schema, { parsed: sent, text: '{}' });
  const read = schema.safeParse(parsed, { reportInput: true });
  if (read.error) addIssues(issues, schema, read.error.issues);
  const unknown = fieldsBeyond(schema, sent, { hasLineIds: false });
  for (const path of unknown.slice(0, MAX_TOLD)) issues.add(fieldAt(path), 'validation.unknown');
  if (issues.areAny || !read.success) throw issues.refusal;
  return read.data;
}
