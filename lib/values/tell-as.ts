import type * as z from 'zod';

const documentedAs = new WeakMap<z.core.$ZodType, z.ZodType>();

/**
 * Documents a lenient schema as another one, by which its values are also converted. The lenient schema
 * accepts more; its values are validated later, in parts.
 */
export function tellAs<S extends z.ZodType>(schema: S, other: z.ZodType): S {
  documentedAs.set(schema, other);
  return schema;
}

/** Returns the schema for the API reference. */
export function whatIsTold<S extends z.core.$ZodType>(schema: S): S | z.ZodType {
  return documentedAs.get(schema) ?? schema;
}
