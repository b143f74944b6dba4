import * as z from 'zod';
import type { Right } from '#lib/http/definition/right.ts';
import { isRecord } from '#lib/values/from-json.ts';

type Path = readonly PropertyKey[];

/** Beginnings of rights to operations that move goods or money, or set prices and rates for it. */
const MOVING = [
  'company.trade',
  'company.cashbox.operation',
  'company.cashbox.currency-rate',
  'company.client.debt-payment',
  'company.stock.supplier.payment',
  'company.tariff',
  'admin.billing',
  'external',
];

/**
 * Tells whether an operation is where goods or money move: documents, cash, repricing, rates, billing. There
 * a field that nobody knows is refused: it may be a mistyped discount. Decisions, 1, "Unknown fields".
 */
export function movesGoodsOrMoney({ right }: { readonly right: Right }): boolean {
  return MOVING.some((beginning) => right === beginning || right.startsWith(`${beginning}.`));
}

/** What a body may have beside the fields of its schema. */
interface Leeway {
  /** True in an edit: it may bring back a document's lines as they were read. */
  readonly hasLineIds: boolean;
}

/** Finds the fields of a value that its schema doesn't name, at any depth. */
export function fieldsBeyond(schema: unknown, value: unknown, leeway: Leeway): Path[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return fieldsBeyond(schema.unwrap(), value, leeway);
  }
  if (schema instanceof z.ZodPipe) {
    return fieldsBeyond(schema.in instanceof z.ZodTransform ? schema.out : schema.in, value, leeway);
  }
  if (schema instanceof z.ZodUnion) return leastBeyond(schema.options, value, leeway);
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.flatMap((item, index) => below(index, lineFields(schema.element, item, leeway)));
  }
  if (schema instanceof z.ZodObject && isRecord(value)) return objectFields(schema, value, leeway);
  return [];
}

function objectFields(schema: z.ZodObject, value: object, leeway: Leeway): Path[] {
  // A strict or a loose schema decides about other fields by itself.
  const isOpen = schema.def.catchall !== undefined;
  return Object.entries(value).flatMap(([name, each]) => {
    if (Object.hasOwn(schema.shape, name)) return below(name, fieldsBeyond(schema.shape[name], each, leeway));
    return isOpen ? [] : [[name]];
  });
}

function lineFields(element: unknown, item: unknown, leeway: Leeway): Path[] {
  const beyond = fieldsBeyond(element, item, leeway);
  return leeway.hasLineIds ? beyond.filter(([name, ...rest]) => name !== 'id' || rest.length > 0) : beyond;
}

/**
 * Lists the unknown fields of a union: of several ways to read a value, the one that knows most of it counts.
 */
function leastBeyond(options: readonly unknown[], value: unknown, leeway: Leeway): Path[] {
  const read = options.filter((option) => takes(option, value));
  const [least = []] = read
    .map((option) => fieldsBeyond(option, value, leeway))
    .sort((a, b) => a.length - b.length);
  return least;
}

/** Tells whether an option of a union is made for this kind of value, as far as that matters for fields. */
function takes(option: unknown, value: unknown): boolean {
  if (option instanceof z.ZodArray) return Array.isArray(value);
  if (option instanceof z.ZodObject) return isRecord(value);
  return true;
}

function below(name: PropertyKey, paths: readonly Path[]): Path[] {
  return paths.map((path) => [name, ...path]);
}
