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
  const problems = new ValidationIssues();
  const parsed = fromJson(schema, { parsed: sent, text: '{}' });
  const read = schema.safeParse(parsed, { reportInput: true });
  if (read.error) addIssues(problems, schema, read.error.issues);
  const unknown = fieldsBeyond(schema, sent, { hasLineIds: false });
  for (const path of unknown.slice(0, MAX_TOLD)) problems.add(fieldAt(path), 'validation.unknown');
  if (problems.areAny || !read.success) throw problems.refusal;
  return read.data;
}
