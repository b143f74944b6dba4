/** A tree spelled by brackets in names: `filter[id][]=1` is `{filter: {id: ['1']}}`. */
export interface Tree {
  [name: string]: unknown;
}

const MOST_LEVELS = 6;

/**
 * Reads the nesting out of the names of a query string or a form. A name that comes twice keeps its last
 * value.
 */
export function nest(entries: Iterable<readonly [string, unknown]>): Tree {
  const root = branch();
  for (const [name, value] of entries) place(root, partsOf(name), value);
  return root;
}

function partsOf(name: string): string[] {
  const open = name.indexOf('[');
  if (open < 1 || !name.endsWith(']')) return [name];
  const parts = [name.slice(0, open), ...name.slice(open + 1, -1).split('][')];
  return parts.length > MOST_LEVELS ? [name] : parts;
}

function place(tree: Tree, [part = '', ...rest]: string[], value: unknown): void {
  const [next] = rest;
  if (next === undefined) {
    tree[part] = value;
    return;
  }
  if (next === '' && rest.length === 1) {
    const list = tree[part];
    if (Array.isArray(list)) list.push(value);
    else tree[part] = [value];
    return;
  }
  const held = tree[part];
  const inner = isTree(held) ? held : branch();
  tree[part] = inner;
  place(inner, rest, value);
}

/** Tells a tree from a leaf or a list. */
export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null;
}

// Without a prototype, so that no name from a caller can reach one.
function branch(): Tree {
  return Object.create(null);
}
