import { createHash } from 'node:crypto';
import * as z from 'zod';
import { put, putNew, remove, type Write } from '#lib/table/change/write.ts';
import { equals } from '#lib/table/expression.ts';
import type { Key, Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { invalid } from '#lib/values/api-error.ts';
import { ONE, type Units } from '#lib/values/quantity.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { trackingCodeToCompare } from './tracking-code.ts';
import { lineKey, type TrackingCodesByLine } from './validate.ts';

/*
 * A sold tracking code is claimed by its line in the transaction of the sale, and released in that of the
 * return. Concurrent sales thus never sell the same code, without a read. The claims of a family are in a few
 * partitions, so that they can be listed; a sale without codes has none.
 */

const PARTITIONS = 16;

/** Claim of a sold code. */
const Claim = z.object({ sk: z.string(), sale_id: z.int(), line_id: z.int() });

export type TrackingCodeClaim = Readonly<z.output<typeof Claim>>;

/** Tracking code of a line. */
interface MarkOfLine {
  readonly mark: string;
  readonly line_id: number;
}

/** Tracking code sold by a body, with its path there. */
export interface SoldTrackingCode extends MarkOfLine {
  readonly path: string;
}

type Markable = {
  readonly id: number;
  readonly product_id: number;
  readonly bundle_key: string | null;
  readonly sold_quantity: Units;
};

/**
 * Assigns tracking codes to the lines of a sale: each line gets its own, and all are returned with the lines
 * that claim them. If a hold splits a product into two lines, the first line gets the first codes.
 */
export function addTrackingCodes<L extends Markable>(
  lines: readonly L[],
  byLine: TrackingCodesByLine,
): { readonly lines: (L & { marks?: string[] })[]; readonly marks: readonly SoldTrackingCode[] } {
  const given = new Map<string, number>();
  const marked = lines.map((line) => {
    const key = lineKey(line);
    const { path, marks = [] } = byLine.get(key) ?? {};
    const first = given.get(key) ?? 0;
    const last = first + line.sold_quantity / ONE;
    given.set(key, last);
    const own = marks.map((mark, index) => ({ mark, line_id: line.id, path: `${path}.${index}` }));
    return { line, own: own.slice(first, last) };
  });
  return {
    lines: marked.map(({ line, own }) =>
      own.length > 0 ? { ...line, marks: own.map(({ mark }) => mark) } : line,
    ),
    marks: marked.flatMap(({ own }) => own),
  };
}

/** Returns the tracking codes of a return's lines. */
export function trackingCodesBack(
  lines: readonly { readonly id: number; readonly marks?: readonly string[] | undefined }[],
): MarkOfLine[] {
  return lines.flatMap(({ id, marks = [] }) => marks.map((mark) => ({ mark, line_id: id })));
}

/**
 * Builds the writes that claim the codes of a sale, and release those of a return; an exchange may sell again
 * a code returned with it. 422 on the path of a code already sold. `Contention` if a returned code is no
 * longer claimed by its line.
 */
export function trackingCodeWrites(
  tenant: Tenant,
  sale_id: number,
  sold: readonly SoldTrackingCode[],
  back: readonly MarkOfLine[] = [],
): Write[] {
  const cameFrom = new Map(back.map(({ mark, line_id }) => [trackingCodeToCompare(mark), line_id]));
  const resold = new Set(sold.map(({ mark }) => trackingCodeToCompare(mark)));
  const gone = back.filter(({ mark }) => !resold.has(trackingCodeToCompare(mark)));
  return [
    ...sold.map(({ mark, line_id, path }) => {
      const previousLine = cameFrom.get(trackingCodeToCompare(mark));
      const claim = { sale_id, line_id };
      return previousLine === undefined
        ? putNew(trackingCodeKey(tenant, mark), claim, invalid({ [path]: 'sale.mark_out' }))
        : put(trackingCodeKey(tenant, mark), claim, { if: equals('line_id', previousLine) });
    }),
    ...gone.map(({ mark, line_id }) =>
      remove(trackingCodeKey(tenant, mark), { if: equals('line_id', line_id) }),
    ),
  ];
}

/** Codes that a change sells, and those that it takes back. */
interface MovedCodes {
  readonly sold: readonly SoldTrackingCode[];
  readonly back: readonly MarkOfLine[];
}

/** Plan of a change, or the issues that prevent it, with any tracking codes that it sells and takes back. */
export type Decision<P> =
  | { readonly plan: P }
  | {
      readonly issues: ValidationIssues;
      readonly sold?: readonly SoldTrackingCode[];
      readonly back?: readonly MarkOfLine[];
    };

/**
 * Returns the plan of a decision; otherwise 422 with all its issues, and those of codes already sold. No read
 * for a plan, whose claims decide; one round trip otherwise.
 */
export async function requirePlan<P>(tenant: Tenant, decision: Decision<P>): Promise<P> {
  if ('plan' in decision) return decision.plan;
  const { sold = [], back = [], issues } = decision;
  await reportClaimed(tenant, { sold, back }, issues);
  throw issues.refusal;
}

/** Requires that no code of a preview is sold already, as it claims none. 422 otherwise. One round trip. */
export async function requireUnclaimed(tenant: Tenant, codes: MovedCodes): Promise<void> {
  const issues = new ValidationIssues();
  await reportClaimed(tenant, codes, issues);
  issues.throwIfAny();
}

/** Reports the codes that are sold already, apart from those that come back. */
async function reportClaimed(
  tenant: Tenant,
  { sold, back }: MovedCodes,
  issues: ValidationIssues,
): Promise<void> {
  const returning = new Set(back.map(({ mark }) => trackingCodeToCompare(mark)));
  const claims = await getItems(sold.map(({ mark }) => trackingCodeKey(tenant, mark)));
  for (const [index, { mark, path }] of sold.entries()) {
    if (claims[index] && !returning.has(trackingCodeToCompare(mark))) issues.add(path, 'sale.mark_out');
  }
}

/** Reads all sold codes of a family, by their compared form. */
export async function readTrackingCodes(tenant: Tenant): Promise<Map<string, TrackingCodeClaim>> {
  const shards = Array.from({ length: PARTITIONS }, (_, shard) => partitionOf(tenant, shard));
  const items = (await Promise.all(shards.map((pk) => wholePartition(pk)))).flat();
  return new Map(items.map((item) => Claim.parse(item)).map((claim) => [claim.sk, claim]));
}

/** Returns the key of a code's claim. */
export function trackingCodeKey(tenant: Tenant, mark: string): Key {
  const sk = trackingCodeToCompare(mark);
  const [first = 0] = createHash('sha256').update(sk).digest();
  return { pk: partitionOf(tenant, first % PARTITIONS), sk };
}

function partitionOf(tenant: Tenant, shard: number): string {
  return `sale-mark#${tenant}#${shard}`;
}
