import { splitEvery } from '#lib/values/concurrency.ts';
import type { Search } from '#lib/values/search-words.ts';
import type { Item } from './client.ts';
import type { Tenant } from './keys.ts';
import type { Placeholders } from './placeholders.ts';

// DynamoDB's limit of values in an IN.
const MAX_OPERANDS = 100;

/** A condition or filter on an item, in two forms: DynamoDB's text, and a predicate for an item in memory. */
export interface Expression {
  readonly render: (scope: Placeholders) => string;
  readonly matches: (item: Item) => boolean;
  /** Attributes read by it. */
  readonly paths: readonly string[];
  /** The allowed values, if it is a list of values of its only attribute. */
  readonly values?: readonly unknown[];
  /** The alternatives, if it is a disjunction. */
  readonly either?: readonly Expression[];
  /** The allowed range, if it is a range of its only attribute; `below` is exclusive. */
  readonly span?: { readonly from: number; readonly below: number };
  /**
   * The search, if it is one: then only `matches` decides, and DynamoDB's text holds for all items. An
   * alternative of a disjunction may be one, too.
   */
  readonly search?: Search;
  /** Set if it is decided by looking at the rows that the other conditions leave. */
  readonly look?: Look;
  /** Its query parameter, if any. */
  readonly parameter?: string;
}

/** How a condition without an index is decided. Part 5, 5B.7, 4. */
export interface Look {
  /** Number of rows that it may look at; 422 on its parameter beyond. */
  readonly max: number;
  /** Selects rows by items stored beside them; if omitted, `matches` decides. */
  readonly choose?: (tenant: Tenant, rows: readonly Item[]) => Promise<readonly Item[]>;
}

/** Holds if the attribute equals the value. */
export function equals(path: string, value: unknown): Expression {
  return {
    paths: [path],
    values: [value],
    render: (scope) => `${scope.name(path)} = ${scope.value(value)}`,
    matches: (item) => valueAt(item, path) === value,
  };
}

/** Holds if the attribute equals one of the values, in any number; never if the list is empty. */
export function oneOf(path: string, values: readonly unknown[]): Expression {
  if (values.length === 0) return { ...all([absent(path), present(path)]), paths: [path], values };
  return { ...any(splitEvery(values, MAX_OPERANDS).map((few) => oneOfFew(path, few))), values };
}

function oneOfFew(path: string, values: readonly unknown[]): Expression {
  return {
    paths: [path],
    render: (scope) => `${scope.name(path)} IN (${values.map((value) => scope.value(value)).join(', ')})`,
    matches: (item) => values.includes(valueAt(item, path)),
  };
}

/** Holds if the text contains the part, or the list contains the element. */
export function contains(path: string, part: unknown): Expression {
  return {
    paths: [path],
    render: (scope) => `contains(${scope.name(path)}, ${scope.value(part)})`,
    matches: (item) => {
      const whole = valueAt(item, path);
      if (Array.isArray(whole)) return whole.includes(part);
      return typeof whole === 'string' && typeof part === 'string' && whole.includes(part);
    },
  };
}

/** Holds if the text, such as a day, is in the alphabetical range, both ends included. */
export function between(path: string, from: string, to: string): Expression {
  return {
    paths: [path],
    render: (scope) => `${scope.name(path)} BETWEEN ${scope.value(from)} AND ${scope.value(to)}`,
    matches: (item) => {
      const text = valueAt(item, path);
      return typeof text === 'string' && from <= text && text <= to;
    },
  };
}

/** Holds if the number is at least the bound. */
export function atLeast(path: string, bound: number): Expression {
  return {
    paths: [path],
    render: (scope) => `${scope.name(path)} >= ${scope.value(bound)}`,
    matches: (item) => numberAt(item, path) >= bound,
  };
}

/** Holds if the number is less than the bound. */
export function lessThan(path: string, bound: number): Expression {
  return {
    paths: [path],
    render: (scope) => `${scope.name(path)} < ${scope.value(bound)}`,
    matches: (item) => numberAt(item, path) < bound,
  };
}

/** Holds if the number is at least `from` and less than `below`. */
export function within(path: string, from: number, below: number): Expression {
  return { ...all([atLeast(path, from), lessThan(path, below)]), span: { from, below } };
}

/** Holds if the attribute is absent; with `pk`, if the item is. */
export function absent(path: string): Expression {
  return {
    paths: [path],
    render: (scope) => `attribute_not_exists(${scope.name(path)})`,
    matches: (item) => valueAt(item, path) === undefined,
  };
}

/** Holds if the attribute is present. */
export function present(path: string): Expression {
  return {
    paths: [path],
    render: (scope) => `attribute_exists(${scope.name(path)})`,
    matches: (item) => valueAt(item, path) !== undefined,
  };
}

/** Holds if all of them hold. */
export function all(expressions: readonly Expression[]): Expression {
  return {
    paths: expressions.flatMap(({ paths }) => paths),
    render: (scope) => joinTexts(expressions, ' AND ', scope),
    matches: (item) => expressions.every(({ matches }) => matches(item)),
  };
}

/** Holds if at least one of them holds. */
export function any(expressions: readonly Expression[]): Expression {
  return {
    either: expressions,
    paths: expressions.flatMap(({ paths }) => paths),
    render: (scope) => joinTexts(expressions, ' OR ', scope),
    matches: (item) => expressions.some(({ matches }) => matches(item)),
  };
}

/**
 * Returns conditions that together hold if all of one side hold, or all of the other. Each is an `any` of
 * two, a form that list indexes support.
 */
export function eitherSide(one: readonly Expression[], other: readonly Expression[]): Expression[] {
  return one.flatMap((a) => other.map((b) => any([a, b])));
}

/** Returns true if only `matches` decides, because the condition is a search or has one. */
export function isSearch({ search, either = [] }: Expression): boolean {
  return search !== undefined || either.some(isSearch);
}

// DynamoDB rejects redundant parentheses.
function joinTexts(expressions: readonly Expression[], word: string, scope: Placeholders): string {
  const [first, ...rest] = expressions.map(({ render }) => render(scope));
  return rest.length === 0 ? (first ?? '') : [first, ...rest].map((text) => `(${text})`).join(word);
}

function valueAt(item: Item, path: string): unknown {
  return path.split('.').reduce<unknown>((value, part) => {
    return typeof value === 'object' && value !== null
      ? Object.entries(value).find(([name]) => name === part)?.[1]
      : undefined;
  }, item);
}

function numberAt(item: Item, path: string): number {
  const value = valueAt(item, path);
  return typeof value === 'number' ? value : Number.NaN;
}
