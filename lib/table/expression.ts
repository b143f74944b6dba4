/** Names and values of one expression under way: DynamoDB wants both by placeholder. */
export interface Scope {
  name(path: string): string;
  value(value: unknown): string;
}

/** A condition or filter on an item. */
export type Expression = (scope: Scope) => string;

/** The attribute equals the value. */
export function equals(path: string, value: unknown): Expression {
  return (scope) => `${scope.name(path)} = ${scope.value(value)}`;
}

/** The attribute equals one of the values, 1 to 100 of them. */
export function oneOf(path: string, values: readonly unknown[]): Expression {
  return (scope) => `${scope.name(path)} IN (${values.map((value) => scope.value(value)).join(', ')})`;
}

/** The text contains the part, or the list contains the element. */
export function contains(path: string, part: unknown): Expression {
  return (scope) => `contains(${scope.name(path)}, ${scope.value(part)})`;
}

/** The attribute is at least the value. */
export function atLeast(path: string, value: unknown): Expression {
  return (scope) => `${scope.name(path)} >= ${scope.value(value)}`;
}

/** The attribute is less than the value. */
export function lessThan(path: string, value: unknown): Expression {
  return (scope) => `${scope.name(path)} < ${scope.value(value)}`;
}

/** There is no such attribute: with `pk`, no such item. */
export function absent(path: string): Expression {
  return (scope) => `attribute_not_exists(${scope.name(path)})`;
}

/** Every one holds. */
export function all(expressions: readonly Expression[]): Expression {
  return (scope) => expressions.map((expression) => `(${expression(scope)})`).join(' AND ');
}

/** At least one holds. */
export function any(expressions: readonly Expression[]): Expression {
  return (scope) => expressions.map((expression) => `(${expression(scope)})`).join(' OR ');
}

/** The placeholders of one command, shared by all its expressions. */
export class Placeholders implements Scope {
  readonly names: Record<string, string> = {};
  readonly values: Record<string, unknown> = {};

  name(path: string): string {
    return path
      .split('.')
      .map((part) => {
        this.names[`#${part}`] = part;
        return `#${part}`;
      })
      .join('.');
  }

  value(value: unknown): string {
    const placeholder = `:v${Object.keys(this.values).length}`;
    this.values[placeholder] = value;
    return placeholder;
  }

  /** The command's parameters; DynamoDB refuses empty ones. */
  get parameters() {
    return {
      ...(Object.keys(this.names).length > 0 && { ExpressionAttributeNames: this.names }),
      ...(Object.keys(this.values).length > 0 && { ExpressionAttributeValues: this.values }),
    };
  }
}
