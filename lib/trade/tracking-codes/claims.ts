import { createHash } from 'node:crypto';
import * as z from 'zod';
import { put, putNew, remove, type Write } from '#lib/table/change/write.ts';
import { equals } from '#lib/table/expression.ts';
import type { Key, Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { invalid } from '#lib/values/api-error.ts';
import { ONE, type Units } from '#lib/values/quantity.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import { trackingCodeToCompare } from './tracking-code.ts';
import { lineKey, type TrackingCodesByLine } from './validate.ts';

/*
 * A mark that is out is claimed by the line that it was sold with, in the transaction that sells it, and is
 * given back by the one that takes it back. So two tills never sell one mark, and nothing is read for it. The
 * claims of a family lie in a few partitions, so that they can be told; a sale without marks has none.
 */

const PARTITIONS = 16;

/** A mark that is out. */
const Claim = z.object({ sk: z.string(), sale_id: z.int(), line_id: z.int() });

export type TrackingCodeClaim = Readonly<z.output<typeof Claim>>;

/** A mark of a line. */
interface MarkOfLine {
  readonly mark: string;
  readonly line_id: number;
}

/** A mark that a body sells, with its path there. */
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
 * Gives marks to the lines of a cheque: to each its own, and all of them with the lines that claim them. Of
 * the two lines that a hold has a part of, the first takes the first ones.
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

/** Lists the marks that come back with lines of a return. */
export function trackingCodesBack(
  lines: readonly { readonly id: number; readonly marks?: readonly string[] | undefined }[],
): MarkOfLine[] {
  return lines.flatMap(({ id, marks = [] }) => marks.map((mark) => ({ mark, line_id: id })));
}

/**
 * Builds the writes by which marks go out with a cheque, and come back with a return; an exchange may sell
 * again what comes back with it. 422 on the path of a mark that is out. `Contention` if one comes back that
 * is not its line's any more.
 */
export function trackingCodeWrites(
  tenant: Tenant,
  sale_id: number,
  sold: readonly SoldTrackingCode[],
  back: readonly MarkOfLine[] = [],
): Write[] {
  const cameFrom = new Map(back.map(({ mark, line_id }) => [trackingCodeToCompare(mark), line_id]));
  const again = new Set(sold.map(({ mark }) => trackingCodeToCompare(mark)));
  const gone = back.filter(({ mark }) => !again.has(trackingCodeToCompare(mark)));
  return [
    ...sold.map(({ mark, line_id, path }) => {
      const was = cameFrom.get(trackingCodeToCompare(mark));
      const claim = { sale_id, line_id };
      return was === undefined
        ? putNew(trackingCodeKey(tenant, mark), claim, invalid({ [path]: 'sale.mark_out' }))
        : put(trackingCodeKey(tenant, mark), claim, { if: equals('line_id', was) });
    }),
    ...gone.map(({ mark, line_id }) =>
      remove(trackingCodeKey(tenant, mark), { if: equals('line_id', line_id) }),
    ),
  ];
}

/**
 * Throws if there is any problem, and tells then of marks that are out, too. Nothing is read for a body that
 * is right: its claims are what decides. One round trip else.
 */
export async function throwIfInvalid(
  tenant: Tenant,
  { sold, back = [] }: { readonly sold: readonly SoldTrackingCode[]; readonly back?: readonly MarkOfLine[] },
  issues: ValidationIssues,
): Promise<void> {
  if (!issues.areAny) return;
  const returning = new Set(back.map(({ mark }) => trackingCodeToCompare(mark)));
  const claims = await getItems(sold.map(({ mark }) => trackingCodeKey(tenant, mark)));
  for (const [index, { mark, path }] of sold.entries()) {
    if (claims[index] && !returning.has(trackingCodeToCompare(mark))) issues.add(path, 'sale.mark_out');
  }
  issues.throwIfAny();
}

/** Reads all marks of a family that are out, by the mark as it is compared. */
export async function readTrackingCodes(tenant: Tenant): Promise<Map<string, TrackingCodeClaim>> {
  const shards = Array.from({ length: PARTITIONS }, (_, shard) => partitionOf(tenant, shard));
  const items = (await Promise.all(shards.map((pk) => wholePartition(pk)))).flat();
  return new Map(items.map((item) => Claim.parse(item)).map((claim) => [claim.sk, claim]));
}

/** Gives the key of a mark's claim. */
export function trackingCodeKey(tenant: Tenant, mark: string): Key {
  const sk = trackingCodeToCompare(mark);
  const [first = 0] = createHash('sha256').update(sk).digest();
  return { pk: partitionOf(tenant, first % PARTITIONS), sk };
}

function partitionOf(tenant: Tenant, shard: number): string {
  return `sale-mark#${tenant}#${shard}`;
}
