import * as z from 'zod';
import { readLinesOfAll } from '#lib/records/lines.ts';
import { partition, type Tenant } from '#lib/table/keys.ts';
import { idOf, rowsAt } from '#lib/table/read/ranges.ts';
import { defineSync, type Noun, type RecordHeader, type SyncDefinition, type Viewer } from './definition.ts';

/** Limit on the lines of a record in a response, in bytes. Part 4, 4.1, 2. */
const MAX_BYTES = 1_000_000;

/** Lower bound of a line in a response, in bytes: names and values of a dozen fields. */
const LEAST_BYTES = 100;

/** Upper bound of the growth of a line from stored to shown. */
const MAX_LONGER = 2;

/** Fields of a record beside its header. */
type Parts = Readonly<Record<string, unknown>> & { readonly products: readonly unknown[] | null };

/** Reads the parts of headers, in their order; undefined for a record changed since. */
export type ReadParts = (heads: readonly RecordHeader[], view: Viewer) => Promise<(Parts | undefined)[]>;

/** Returns the schema fields of lines, null if a record has too many for a response. */
export function linesField(line: z.ZodType) {
  return { products: z.array(line).nullable(), lines_left_out: z.literal(true).optional() };
}

/** Replaces lines that exceed the limit. */
export const LEFT_OUT = { products: null, lines_left_out: true } as const;

/** Returns whether a record certainly exceeds the limit of lines; false for a view that has no limit. */
export function hasTooManyLines(
  { products_count }: RecordHeader,
  { isWhole }: Pick<Viewer, 'isWhole'> = {},
): boolean {
  return !isWhole && Number(products_count) * LEAST_BYTES > MAX_BYTES;
}

/**
 * Returns a reader of the lines of a document type; `show` completes them by their document. One round trip.
 */
export function readLinesOf(
  { type }: { readonly type: string },
  show: (head: RecordHeader, lines: readonly unknown[]) => readonly unknown[] = (_, lines) => lines,
): ReadParts {
  return async (heads, view) => {
    const { tenant } = view.actor;
    const documents = heads.map((head) => ({
      place: { type, tenant, id: head.id },
      count: countLines(head, view),
    }));
    const linesOf = await readLinesOfAll(documents);
    return heads.map((head, index) => {
      if (hasTooManyLines(head, view)) return LEFT_OUT;
      const products = linesOf[index];
      return products && { products: show(head, products) };
    });
  };
}

/**
 * Defines the sync of documents with parts beside their headers. The header's version is read again after the
 * parts: if it is unchanged, the record is consistent.
 */
export function defineSyncWithLines(noun: Noun, form: z.ZodObject, read: ReadParts): SyncDefinition {
  const lines = z.object(
    Object.fromEntries(LINES.flatMap((name) => (form.shape[name] ? [[name, form.shape[name]]] : []))),
  );
  return defineSync(noun, form, {
    countLines: (head) => countLines(head),
    show: async (heads, view) => {
      if (view.isBare) return heads.map((record) => ({ record, revision: record.version }));
      const parts = await read(heads, view);
      const versions = await readVersions(noun.type, view.actor.tenant, heads);
      return heads.map((head, index) => {
        const part = parts[index];
        if (!part || versions.get(head.id) !== head.version) return undefined;
        const whole = { ...head, ...part };
        const isCut = !view.isWhole && isTooLarge(lines, part);
        return { record: isCut ? withoutLines(whole) : whole, revision: head.version };
      });
    },
  });
}

/** Fields with lines. */
const LINES = ['products', 'returns'];

const Returns = z.array(z.looseObject({}));

function withoutLines(record: object) {
  const returns = 'returns' in record ? Returns.parse(record.returns) : undefined;
  return {
    ...record,
    ...LEFT_OUT,
    ...(returns && { returns: returns.map((each) => ({ ...each, ...LEFT_OUT })) }),
  };
}

function countLines(head: RecordHeader, view?: Viewer): number {
  return hasTooManyLines(head, view) ? 0 : Number(head['products_count']);
}

function isTooLarge(lines: z.ZodObject, part: Parts): boolean {
  const stored = Object.fromEntries(Object.entries(part).filter(([name]) => name in lines.shape));
  if (bytesOf(stored) * MAX_LONGER <= MAX_BYTES) return false;
  return bytesOf(lines.parse(stored)) > MAX_BYTES;
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

async function readVersions(type: string, tenant: Tenant, heads: readonly RecordHeader[]) {
  const ids = heads.map(({ id }) => id);
  const rows = await rowsAt(partition(type, tenant), ids, ['version']);
  return new Map(rows.map((row) => [idOf(row), row['version']]));
}
