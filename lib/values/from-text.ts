import * as z from 'zod';

/** A tree spelled with brackets in names: `filter[id][]=1` is `{filter: {id: ['1']}}`. */
export interface Tree {
  [name: string]: unknown;
}

const MAX_LEVELS = 6;

/**
 * Converts a query string to its schema: brackets in names spell its nesting. Adds required objects as empty
 * ones, so that errors name their missing fields.
 */
export function fromQueryString(schema: unknown, text: string): unknown {
  const tree = nest(new URLSearchParams(text));
  for (const [name, field] of schema instanceof z.ZodObject ? Object.entries(schema.shape) : [])
    if (field instanceof z.ZodObject) tree[name] ??= branch();
  return fromText(schema, tree);
}

/**
 * Converts the texts of a query string or form to a schema: `5` to a number, `1` to true, an empty optional
 * field to absent. A value that doesn't fit is left for validation to reject.
 */
export function fromText(schema: unknown, value: unknown): unknown {
  if (schema instanceof z.ZodNullable) return value === '' ? null : fromText(schema.unwrap(), value);
  if (schema instanceof z.ZodOptional) return value === '' ? undefined : fromText(schema.unwrap(), value);
  if (schema instanceof z.ZodDefault) return fromText(schema.unwrap(), value);
  if (schema instanceof z.ZodPipe) return fromText(schema.in, value);
  if (schema instanceof z.ZodUnion) return fromText(optionFor(schema, value), value);
  if (schema instanceof z.ZodObject) return isTree(value) ? fieldsFromText(schema, value) : value;
  if (schema instanceof z.ZodArray) return itemsFromText(schema, value);
  return typeof value === 'string' ? leafFromText(schema, value) : value;
}

function leafFromText(schema: unknown, value: string): unknown {
  if (schema instanceof z.ZodNumber) return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  if (schema instanceof z.ZodBoolean) return BOOLEANS.get(value) ?? value;
  return value;
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
]);

function fieldsFromText(schema: z.ZodObject, tree: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(tree).map(([name, value]) => [name, fromText(schema.shape[name], value)]),
  );
}

function itemsFromText(schema: z.ZodArray, value: unknown): unknown {
  const items = isTree(value) ? Object.values(value) : value;
  return Array.isArray(items) ? Array.from(items, (item) => fromText(schema.element, item)) : value;
}

function optionFor(schema: z.ZodUnion, value: unknown): unknown {
  const isList = Array.isArray(value) || isTree(value);
  return schema.options.find((option) => option instanceof z.ZodArray === isList) ?? schema.options[0];
}

/** Values of a repeated name: a list in a list field, else an error. */
export class Repeated extends Array<unknown> {}

/**
 * Builds a tree from the names of a query string or form. A repeated name has all its values. Contract 9.129.
 */
export function nest(entries: Iterable<readonly [string, unknown]>): Tree {
  const root = branch();
  for (const [name, value] of entries) place(root, splitName(name), value);
  return root;
}

/** Splits a name by its brackets. */
export function splitName(name: string): string[] {
  const open = name.indexOf('[');
  if (open < 1 || !name.endsWith(']')) return [name];
  const parts = [name.slice(0, open), ...name.slice(open + 1, -1).split('][')];
  return parts.length > MAX_LEVELS ? [name] : parts;
}

function place(tree: Tree, [part = '', ...rest]: string[], value: unknown): void {
  const [next] = rest;
  const held = tree[part];
  if (next === undefined) {
    tree[part] = held === undefined ? value : repeat(held, value);
    return;
  }
  if (next === '' && rest.length === 1) {
    if (held === undefined) tree[part] = [value];
    else if (Array.isArray(held)) held.push(value);
    else tree[part] = repeat(held, value);
    return;
  }
  const inner = isTree(held) ? held : branch();
  place(inner, rest, value);
  // A name given both as a value and with parts counts as repeated.
  tree[part] = held === undefined || held === inner ? inner : repeat(held, inner);
}

/** Appends a value to those of the same name. */
function repeat(held: unknown, value: unknown): Repeated {
  return Repeated.from([...(Array.isArray(held) ? held : [held]), value]);
}

/** Returns true for a tree, false for leaves and lists. */
function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null;
}

// No prototype, so that no caller's name can reach one.
function branch(): Tree {
  return Object.create(null);
}
