import * as z from 'zod';

/** A tree spelled by brackets in names: `filter[id][]=1` is `{filter: {id: ['1']}}`. */
export interface Tree {
  [name: string]: unknown;
}

const MAX_LEVELS = 6;

/**
 * Reads a query string as the schema wants it: brackets in names spell its nesting. An object that must be
 * there is, if empty: then what is missing of it is told by its own name.
 */
export function fromQueryString(schema: unknown, text: string): unknown {
  const tree = nest(new URLSearchParams(text));
  for (const [name, field] of schema instanceof z.ZodObject ? Object.entries(schema.shape) : [])
    if (field instanceof z.ZodObject) tree[name] ??= branch();
  return fromText(schema, tree);
}

/**
 * Reads the values of a query string or a form, which are all texts, as the schema wants them: `5` as a
 * number, `1` as true, an empty optional field as absent. A value that doesn't fit is left for validation to
 * refuse.
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

/** Values of a name that came more than once: a list if lists are taken, else a fault. */
export class Repeated extends Array<unknown> {}

/**
 * Reads the nesting out of the names of a query string or a form. A name that comes twice has all its values.
 * Contract 9.129.
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
  // What comes by itself and in parts is said twice.
  tree[part] = held === undefined || held === inner ? inner : repeat(held, inner);
}

/** Adds a value to what the same name has brought before. */
function repeat(held: unknown, value: unknown): Repeated {
  return Repeated.from([...(Array.isArray(held) ? held : [held]), value]);
}

/** Tells a tree from a leaf or a list. */
function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null;
}

// Without a prototype, so that no name from a caller can reach one.
function branch(): Tree {
  return Object.create(null);
}
