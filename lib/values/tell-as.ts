import type * as z from 'zod';

const told = new WeakMap<z.core.$ZodType, z.ZodType>();

/**
 * Makes a schema that takes more than its readers are told: what it is sent is judged later, and in part. It
 * is told, and values are read, as the other schema wants them.
 */
export function tellAs<S extends z.ZodType>(schema: S, other: z.ZodType): S {
  told.set(schema, other);
  return schema;
}

/** Finds the schema that readers of the API are told of. */
export function whatIsTold<S extends z.core.$ZodType>(schema: S): S | z.ZodType {
  return told.get(schema) ?? schema;
}
