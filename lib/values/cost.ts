import * as z from 'zod';
import { isRecord } from './by-schema.ts';
import { LargeAmount, Money } from './money.ts';

/* Fields that reveal what goods cost: null for callers without a right, wherever they are shown. */

/** The right to see what goods cost. Part 5, 5A.13. */
export const COST_RIGHT = 'company.cost.show';

/** The keyword of a field in the reference that names the right without which it is null. */
export const RIGHT_OF_FIELD = 'x-right';

type Shown = Readonly<Record<string, unknown>>;

interface CostMark {
  /** Returns true for records in which the field reveals a cost. */
  readonly isIn: (record: Shown) => boolean;
}

const marks = z.registry<CostMark>();

/** Marks a field that reveals what goods cost, in all records or in those that fit. */
export function costField<S extends z.ZodType>(field: S, isIn: CostMark['isIn'] = () => true): S {
  const marked = field.meta({ [RIGHT_OF_FIELD]: COST_RIGHT });
  marks.add(marked, { isIn });
  return marked;
}

/** An amount that reveals what goods cost. */
export const Cost = costField(Money);

/** A sum of many such amounts. */
export const LargeCost = costField(LargeAmount);

/** Returns the mark of a field that reveals what goods cost; undefined for any other. */
export function costMarkOf(field: unknown): CostMark | undefined {
  if (!(field instanceof z.ZodType)) return undefined;
  return marks.get(field) ?? (isWrapper(field) ? costMarkOf(field.unwrap()) : undefined);
}

function isWrapper(schema: unknown) {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
}

type Hide = (shown: unknown) => unknown;

/** Functions by schema; null for a schema without costs. */
const made = new WeakMap<object, Hide | null>();

/**
 * Returns the function that empties all marked fields of a rendered value of a schema; undefined if it has
 * none.
 */
export function costHiderOf(schema: unknown): Hide | undefined {
  if (!(schema instanceof z.ZodType)) return undefined;
  const known = made.get(schema);
  if (known !== undefined) return known ?? undefined;
  // A schema may contain itself: then its own function is looked up once it is made.
  made.set(schema, (shown) => made.get(schema)?.(shown) ?? shown);
  const hide = hiderOf(schema);
  made.set(schema, hide ?? null);
  return hide;
}

function hiderOf(schema: z.core.$ZodType): Hide | undefined {
  if (isWrapper(schema)) return costHiderOf(schema.unwrap());
  if (schema instanceof z.ZodPipe) return costHiderOf(schema.out);
  // Its schema is made at its first use.
  if (schema instanceof z.ZodLazy) return (shown) => costHiderOf(schema.unwrap())?.(shown) ?? shown;
  if (schema instanceof z.ZodArray) return ofEach(costHiderOf(schema.element));
  if (schema instanceof z.ZodRecord) return ofEach(costHiderOf(schema.valueType));
  if (schema instanceof z.ZodUnion) return ofUnion(schema.options);
  return schema instanceof z.ZodObject ? ofObject(schema) : undefined;
}

/** Empties costs in each item of a list, and in each value of a map. */
function ofEach(hide: Hide | undefined): Hide | undefined {
  if (!hide) return undefined;
  return (shown) => {
    if (Array.isArray(shown)) return shown.map(hide);
    if (!isRecord(shown)) return shown;
    return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, hide(value)]));
  };
}

function ofObject({ shape }: z.ZodObject): Hide | undefined {
  const fields = Object.entries(shape).flatMap(([name, field]) => {
    const mark = costMarkOf(field);
    const hide = mark ? () => null : costHiderOf(field);
    return hide ? [{ name, hide, isIn: mark?.isIn ?? (() => true) }] : [];
  });
  if (fields.length === 0) return undefined;
  return (shown) => {
    if (!isRecord(shown)) return shown;
    const own = fields.filter(({ name, isIn }) => Object.hasOwn(shown, name) && isIn(shown));
    return { ...shown, ...Object.fromEntries(own.map(({ name, hide }) => [name, hide(shown[name])])) };
  };
}

/** Empties what any of the alternatives that a value may be of hides. */
function ofUnion(options: readonly unknown[]): Hide | undefined {
  const alternatives = options.flatMap((option) => {
    const hide = costHiderOf(option);
    return hide ? [{ hide, mayBe: (shown: unknown) => hasLiteralsOf(option, shown) }] : [];
  });
  if (alternatives.length === 0) return undefined;
  return (shown) =>
    alternatives.reduce((value, { hide, mayBe }) => (mayBe(shown) ? hide(value) : value), shown);
}

/** Returns whether a value has the words by which an alternative differs from the others. */
function hasLiteralsOf(option: unknown, shown: unknown): boolean {
  if (!(option instanceof z.ZodObject) || !isRecord(shown)) return true;
  return Object.entries(option.shape).every(
    ([name, field]) => !(field instanceof z.ZodLiteral) || field.safeParse(shown[name]).success,
  );
}
