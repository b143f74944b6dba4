import type * as z from 'zod';

export type Schema = z.core.JSONSchema.JSONSchema;

/** A field by the name that a query string or a form gives it: `filter[created_at][0]`. */
export interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** Flattens the fields of an object's schema into bracketed names. */
export function fieldsOf({ properties = {}, required = [] }: Schema): Field[] {
  return Object.entries(properties).flatMap(([name, schema]) =>
    typeof schema === 'boolean' ? [] : spread(name, schema, required.includes(name)),
  );
}

function spread(name: string, schema: Schema, isRequired: boolean): Field[] {
  if (schema.properties) {
    return fieldsOf(schema).map((field) => ({
      name: field.name.replace(/^[^[]+/, (first) => `${name}[${first}]`),
      schema: field.schema,
      isRequired: isRequired && field.isRequired,
    }));
  }
  if (schema.type === 'array') return [{ name: `${name}[]`, schema, isRequired }];
  if (acceptsNothing(schema)) return [];
  const takesList = schema.anyOf?.some(({ type }) => type === 'array');
  if (takesList) {
    const { description, anyOf = [] } = schema;
    const options = anyOf.filter(({ type }) => type !== 'null');
    return options.flatMap((option) =>
      spread(name, { ...(description && { description }), ...option }, false),
    );
  }
  return [{ name, schema, isRequired }];
}

/** Returns whether no value is accepted: `with` of a list without embeds. */
function acceptsNothing({ not }: Schema): boolean {
  return typeof not === 'object' && Object.keys(not).length === 0;
}

/** Returns whether a field is a file, or a list of files. */
export function isFile(field: Schema | boolean | undefined): boolean {
  if (typeof field !== 'object') return false;
  return field.format === 'binary' || (!Array.isArray(field.items) && isFile(field.items));
}
