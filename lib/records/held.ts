import * as z from 'zod';

type Schema = z.core.$ZodType;

const mirrors = new WeakMap<Schema, Schema>();

/**
 * Makes the schema of a schema's input, without a way to its output: every codec and transformation in it is
 * replaced by its input. It accepts what the table holds and renders none of it. Limits on lists and whole
 * objects concern the output, and fall away. Made once for each schema.
 */
export function heldSide(schema: Schema): Schema {
  const known = mirrors.get(schema);
  if (known) return known;
  const mirror = mirrorOf(schema);
  mirrors.set(schema, mirror);
  return mirror;
}

function mirrorOf(schema: Schema): Schema {
  if (schema instanceof z.ZodPipe) return heldSide(schema.def.in);
  if (schema instanceof z.ZodObject) return objectMirror(schema);
  if (schema instanceof z.ZodArray) return z.array(heldSide(schema.def.element));
  if (schema instanceof z.ZodRecord) return recordMirror(schema);
  if (schema instanceof z.ZodUnion) return z.union(schema.def.options.map(heldSide));
  if (schema instanceof z.ZodIntersection) {
    return z.intersection(heldSide(schema.def.left), heldSide(schema.def.right));
  }
  return wrapperMirror(schema);
}

function wrapperMirror(schema: Schema): Schema {
  if (schema instanceof z.ZodNullable) return z.nullable(heldSide(schema.def.innerType));
  // A field with a default may be left out of the input.
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return z.optional(heldSide(schema.def.innerType));
  }
  return schema;
}

function recordMirror(schema: z.ZodRecord): Schema {
  // A clone: nothing else says whether keys may be missing.
  return schema.clone({ ...schema.def, valueType: heldSide(schema.def.valueType), checks: [] });
}

function objectMirror({ def }: z.ZodObject): Schema {
  const fields = Object.entries(def.shape).map(([name, field]) => [name, heldSide(field)]);
  return z.object(Object.fromEntries(fields));
}
