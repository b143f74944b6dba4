import { type Alternative, alternativesOf, candidatesFor, isFurther } from './alternatives.ts';
import type { ApiContract, JsonSchema } from './contract.ts';
import { isSameJson, narrowerLimits } from './limits.ts';

/** Requests that were valid must stay valid; responses must stay within the known type. */
export type DataFlow = 'sent' | 'received';

/** Lists breaking changes between two schemas; `where` is their name. */
export type CompareSchemas = (
  where: string,
  flow: DataFlow,
  before: JsonSchema | undefined,
  after: JsonSchema | undefined,
) => readonly string[];

/** Lists breaking changes between two alternatives. */
type Compare = (where: string, flow: DataFlow, before: JsonSchema, after: JsonSchema) => readonly string[];

/**
 * Returns the comparison of the schemas of two contracts. A component is compared once as a request and once
 * as a response, under its own name, however many operations have it.
 */
export function schemaComparison(before: ApiContract, after: ApiContract): CompareSchemas {
  const compared = new Map<string, readonly string[]>();

  const compare: CompareSchemas = (where, flow, old = {}, next = {}) => {
    const olds = alternativesOf(old, before.components.schemas);
    const nexts = alternativesOf(next, after.components.schemas);
    if (flow === 'received')
      return nexts
        .filter((one) => !isFurther(one, olds))
        .flatMap((one) => {
          const candidates = candidatesFor(one, olds).map((known) => comparePair(where, flow, known, one));
          return leastOf(candidates) ?? [`\`${where}\` may be ${nameOfKind(one)}`];
        });
    const narrowed = olds.flatMap((one) => {
      const candidates = candidatesFor(one, nexts).map((taken) => comparePair(where, flow, one, taken));
      return leastOf(candidates) ?? [`\`${where}\` may not be ${nameOfKind(one)}`];
    });
    return [...narrowed, ...defaultChange(where, old, next)];
  };

  function comparePair(where: string, flow: DataFlow, old: Alternative, next: Alternative) {
    if (!old.component) return compareOne(where, flow, old.schema, next.schema);
    const key = JSON.stringify([flow, old.component, next.component ?? where]);
    const known = compared.get(key);
    if (known) return known;
    // A recursive schema has nothing to add.
    compared.set(key, []);
    const found = compareOne(old.component.name, flow, old.schema, next.schema);
    compared.set(key, found);
    return found;
  }

  const compareOne: Compare = (where, flow, old, next) => [
    ...valueChanges(where, flow, old, next),
    ...(flow === 'sent' ? narrowerLimits(old, next) : formatChange(old, next)).map(
      (limit) => `\`${where}\` has ${limit}`,
    ),
    ...fieldChanges(where, flow, old, next),
    ...Object.entries(old.properties ?? {}).flatMap(([field, schema]) => {
      const changed = next.properties?.[field];
      return changed ? compare(`${where}.${field}`, flow, schema, changed) : [];
    }),
    ...((old.items ?? next.items) ? compare(`${where}[]`, flow, old.items, next.items) : []),
    ...otherFieldChanges(where, flow, old, next),
  ];

  /** Compares the fields that an object does not name. */
  const otherFieldChanges: Compare = (where, flow, old, next) => {
    const { additionalProperties: known = true } = old;
    const { additionalProperties: taken = true } = next;
    if (flow === 'sent' && taken === false && known !== false) return [`\`${where}\` takes no other fields`];
    if (typeof known === 'boolean' && typeof taken === 'boolean') return [];
    if (known === false || taken === false) return [];
    return compare(`${where}{}`, flow, schemaOf(known), schemaOf(taken));
  };

  return compare;
}

const fieldChanges: Compare = (where, flow, old, next) => {
  const fields = Object.keys(old.properties ?? {});
  const gone = fields.filter((field) => next.properties?.[field] === undefined);
  const removed = gone.map((field) => `\`${where}.${field}\` is removed`);
  const { required: from = [] } = old;
  const { required: to = [] } = next;
  if (flow === 'sent') {
    const required = to.filter((field) => !from.includes(field));
    return [...removed, ...required.map((field) => `\`${where}.${field}\` is required`)];
  }
  const loose = from.filter((field) => !to.includes(field) && !gone.includes(field));
  return [...removed, ...loose.map((field) => `\`${where}.${field}\` may be absent`)];
};

const valueChanges: Compare = (where, flow, old, next) => {
  const [before, after] = [valuesOf(old), valuesOf(next)];
  if (!after) return [];
  if (!before) return flow === 'sent' ? [`\`${where}\` takes only ${after.join(', ')}`] : [];
  const removed = before.filter((value) => !after.includes(value));
  return removed.map((value) => `\`${where}\` has no value ${value}`);
};

function valuesOf({ const: constant, enum: values }: JsonSchema): readonly string[] | undefined {
  return (constant === undefined ? values : [constant])?.map((value) => JSON.stringify(value));
}

function formatChange({ format: before }: JsonSchema, { format: after }: JsonSchema): readonly string[] {
  return before === undefined || before === after ? [] : [`format ${after ?? 'of any kind'}`];
}

function defaultChange(where: string, before: JsonSchema, after: JsonSchema): readonly string[] {
  if (before.default === undefined || isSameJson(before.default, after.default)) return [];
  return [`\`${where}\` has default ${JSON.stringify(after.default ?? null)}`];
}

function schemaOf(fields: boolean | JsonSchema): JsonSchema {
  return typeof fields === 'boolean' ? {} : fields;
}

function nameOfKind({ type = 'anything', constants }: Alternative): string {
  return `${type}${constants}`;
}

/** Chooses the candidate with the fewest breaking changes; undefined without candidates. */
function leastOf(candidates: readonly (readonly string[])[]): readonly string[] | undefined {
  return candidates.toSorted((one, other) => one.length - other.length)[0];
}
