import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { fromJson } from '#lib/values/from-json.ts';
import { addIssues } from '#lib/values/issues.ts';
import { tellAs } from '#lib/values/tell-as.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { parseStored, type RecordSchema, type Stored } from './stored.ts';

/*
 * PATCH of a card: its body has some fields of the PUT's. The others are those of the record, in their
 * published form, so the card is validated as a whole by the PUT's schema, and edited as a PUT edits it.
 * Part 5, 5B.10.
 */

/** Some fields of a record, as sent. */
export type PatchFields = Readonly<Record<string, unknown>>;

/** Fields that are files, which JSON does not have. */
type FileFields = readonly string[];

/** A way to patch records: the schema of the body, and the function that completes it. */
interface Patch<S extends RecordSchema, I extends z.ZodObject> {
  readonly Body: z.ZodType<PatchFields>;
  /**
   * Completes a body by a record. Undefined if it changes nothing. 422 with all failing fields, as of a PUT.
   */
  readonly complete: (before: Stored<S>, body: PatchFields) => z.output<I> | undefined;
}

/** Returns the way to patch records of a schema by the input of their PUT. */
export function patchOf<S extends RecordSchema, I extends z.ZodObject>(
  schema: S,
  input: I,
  files: FileFields = [],
): Patch<S, I> {
  const names = Object.keys(input.shape).filter((name) => !files.includes(name));
  const raw = z.strictObject(Object.fromEntries(names.map((name) => [name, z.unknown().optional()])));
  const Body = tellAs(raw, partialOf(input, names));
  const published = new Set(names.filter((name) => name in schema.shape));
  const fieldsOf = (before: Stored<S>) =>
    Object.fromEntries(
      Object.entries(schema.parse(parseStored(schema, before))).filter(([name]) => published.has(name)),
    );
  return {
    Body,
    complete: (before, body) => {
      const present = fieldsOf(before);
      const after = validate(input, { ...present, ...presentFields(body) });
      const known = input.safeParse(present).data;
      const isSame = [...published].every((name) =>
        isDeepStrictEqual(fieldOf(known, name), fieldOf(after, name)),
      );
      return isSame ? undefined : after;
    },
  };
}

/** Returns the schema of some fields of an input, all of them optional. */
function partialOf(input: z.ZodObject, names: readonly string[]): z.ZodObject {
  return z.strictObject(
    Object.fromEntries(
      Object.entries(input.shape)
        .filter(([name]) => names.includes(name))
        .map(([name, field]) => [name, z.optional(field)]),
    ),
  );
}

/** Picks the fields that a body has: an absent one has no value. */
function presentFields(body: PatchFields): PatchFields {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

function fieldOf(card: object | undefined, name: string): unknown {
  return card && Object.entries(card).find(([field]) => field === name)?.[1];
}

/** Validates a whole card like the body of a PUT. 422 with all failing fields. */
function validate<I extends z.ZodObject>(input: I, card: PatchFields): z.output<I> {
  const read = fromJson(input, { parsed: card, text: '{}' });
  const result = input.safeParse(read, { reportInput: true });
  if (result.success) return result.data;
  const issues = new ValidationIssues();
  addIssues(issues, input, result.error.issues);
  throw issues.refusal;
}
