import type { JsonSchema } from './contract.ts';

type Components = Readonly<Record<string, JsonSchema>>;

/** One way in which a value satisfies a schema: no union, at most one type. */
export interface Alternative {
  readonly schema: JsonSchema;
  readonly type: string | undefined;
  /** Its constant fields, by which the objects of a union differ. */
  readonly constants: string;
  readonly component?: Component;
}

/** Name of the component of an alternative, and the place of the alternative in it. */
interface Component {
  readonly name: string;
  readonly index: number;
}

/** Lists the alternatives of a schema: none for `not: {}`, which accepts nothing. */
export function alternativesOf(schema: JsonSchema, components: Components): readonly Alternative[] {
  const { $ref, anyOf, oneOf, not } = schema;
  if ($ref !== undefined) return alternativesOfComponent($ref, components);
  const union = anyOf ?? oneOf;
  if (union) return union.flatMap((each) => alternativesOf(each, components));
  if (JSON.stringify(not) === '{}') return [];
  const types = schema.type === undefined ? [undefined] : [schema.type].flat();
  return types.map((type) => ({ schema, type, constants: constantsOf(schema) }));
}

/** Returns the component name of a reference. */
export function componentNameOf(reference: string): string {
  return reference.split('/').at(-1) ?? reference;
}

/**
 * Lists the versions of one among others: those with equal constants if there are any, else of its type.
 * Named values, as those of an open enumeration, are not compared with a text of any kind beside them.
 */
export function candidatesFor(one: Alternative, others: readonly Alternative[]): readonly Alternative[] {
  const alike = others.filter(({ type, constants }) => type === one.type && constants === one.constants);
  const named = alike.filter(({ schema }) => hasValues(schema) === hasValues(one.schema));
  const found = [named, alike].find(({ length }) => length > 0);
  return found ?? others.filter(({ type }) => covers(type, one.type));
}

/**
 * Returns whether an object is of a further kind, by its constant fields, like a further value of an
 * enumeration.
 */
export function isFurther({ type, constants }: Alternative, others: readonly Alternative[]): boolean {
  const alike = others.filter((other) => other.type === type);
  const areKinds = alike.length > 0 && alike.every((other) => other.constants !== '');
  return areKinds && constants !== '' && alike.every((other) => other.constants !== constants);
}

function hasValues(schema: JsonSchema): boolean {
  return schema.enum !== undefined || schema.const !== undefined;
}

/** Returns whether a type contains all values of another. */
function covers(wide: string | undefined, narrow: string | undefined): boolean {
  return wide === undefined || wide === narrow || (wide === 'number' && narrow === 'integer');
}

function alternativesOfComponent($ref: string, components: Components): readonly Alternative[] {
  const name = componentNameOf($ref);
  const schema = components[name];
  if (!schema) throw new Error(`${$ref} leads nowhere.`);
  return alternativesOf(schema, components).map((each, index) => ({ component: { name, index }, ...each }));
}

function constantsOf({ properties }: JsonSchema): string {
  const fields = Object.entries(properties ?? {}).filter(([, { const: value }]) => value !== undefined);
  return fields.map(([field, { const: value }]) => ` with ${field} ${JSON.stringify(value)}`).join();
}
