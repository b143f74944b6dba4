import type * as z from 'zod';

const told = new WeakMap<z.core.$ZodType, z.ZodType>();

/**
 * Makes a schema that takes more than it is told to take: what it is sent is judged later, and in part. Readers
 * of the API are told of the other schema, and values are read as it wants them.
 */
export function toldAs<S extends z.ZodType>(schema: S, other: z.ZodType): S {
  told.set(schema, other);
  return schema;
}

/** Finds the schema that readers of the API are told of. */
export function whatIsTold<S extends z.core.$ZodType>(schema: S): S | z.ZodType {
  return told.get(schema) ?? schema;
}
