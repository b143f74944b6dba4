import { expect, test } from 'vitest';
import * as z from 'zod';
import { discoverRoutes } from '#infra/routes.ts';
import { whatIsTold } from '#lib/values/tell-as.ts';

/** A field of a body that takes a string, alone or in a list. */
interface Field {
  readonly path: string;
  readonly schema: z.ZodType;
}

const HIDDEN = {
  'U+0000': '\u0000',
  'an escape': '\u001b',
  'U+007F': '\u007f',
  'U+0085': '\u0085',
  'U+FFFE': '\ufffe',
  'half of a character': '\ud83d',
  'a right-to-left mark': '\u200f',
  'a right-to-left override': '\u202e',
  'an isolate': '\u2067',
};

const LINES = /(comment|description)(\.(ru|uz|oz))?$/;

/**
 * Passwords, stored as they were set, the names of files, which are not stored, and the sales of a batch,
 * each validated as a body of its own.
 */
const NO_TEXTS = /\.(password|new_password_confirmation|filename|sales)$/;

const bodies = (await discoverRoutes()).flatMap(({ path, endpoints }) =>
  Object.entries(endpoints).flatMap(
    ([
      method,
      {
        metadata: { body },
      },
    ]) =>
      // A PATCH is validated by the schema that it is documented as.
      fieldsOf(body && whatIsTold(body))
        .filter((field) => !NO_TEXTS.test(field.path))
        .map((field) => ({ ...field, request: `${method} ${path}` })),
  ),
);

test('a text takes no sign that nobody sees, in any field of any body (Contract 9.89)', async () => {
  expect(bodies.length).toBeGreaterThan(200);
  const taken: string[] = [];
  for (const { request, path, schema } of bodies) {
    for (const [what, sign] of Object.entries(HIDDEN)) {
      if (await takes(schema, `Ali${sign}Valiyev1`)) taken.push(`${request} ${path}: ${what}`);
    }
  }
  expect(taken).toEqual([]);
});

test('line breaks and tabs stand in comments and descriptions only (Contract 9.89)', async () => {
  const taken: string[] = [];
  for (const { request, path, schema } of bodies) {
    const takesLines = (await takes(schema, 'Ali\nValiyev1')) || (await takes(schema, 'Ali\tValiyev1'));
    if (takesLines && !LINES.test(path)) taken.push(`${request} ${path}`);
  }
  expect(taken).toEqual([]);
});

async function takes(schema: z.ZodType, value: string): Promise<boolean> {
  return (await schema.safeParseAsync(value)).success;
}

/** Finds the fields of a schema that take strings. */
function fieldsOf(schema: unknown, path = ''): Field[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return fieldsOf(schema.unwrap(), path);
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, field]) => fieldsOf(field, `${path}.${name}`));
  if (schema instanceof z.ZodArray) return fieldsOf(schema.element, path);
  if (schema instanceof z.ZodRecord) return fieldsOf(schema.valueType, path);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => fieldsOf(option, path));
  const inner = schema instanceof z.ZodPipe ? fieldsOf(schema.in, path) : [];
  // A string that is transformed is validated as a whole.
  if (inner.some((field) => field.path !== path)) return inner;
  return schema instanceof z.ZodType ? [{ path, schema }] : [];
}
