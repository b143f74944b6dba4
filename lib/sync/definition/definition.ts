import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import type { DocumentSchema, StoredType } from '#lib/records/stored.ts';
import type { SyncType } from '#lib/records/sync-type.ts';
import { type Expression, equals } from '#lib/table/expression.ts';
import { partition, recordKey, type Tenant } from '#lib/table/keys.ts';
import { type RowsAfter, type RowsRequest, rowsAfter } from '#lib/table/list/rows-after.ts';
import { getItems } from '#lib/table/read/get.ts';
import type { Locale } from '#lib/values/text.ts';

/** Header of a record as read, with its version. */
export const RecordHeader = z.looseObject({ id: z.int(), version: z.int() });

export type RecordHeader = z.output<typeof RecordHeader>;

/** The caller for whom records are shown. */
export interface Viewer {
  readonly actor: Staff;
  readonly locale: Locale;
  /**
   * Set if revisions suffice: records come without lines and counters, and none is omitted because it is
   * being changed.
   */
  readonly isBare?: true;
  /** Set for a reader without a size limit: all lines of a record are included. */
  readonly isWhole?: true;
}

/** A record in its sync form. */
export interface ShownRecord {
  readonly record: object;
  /** Sum of the versions of all its items: it never decreases. */
  readonly revision: number;
}

/** A record requested by id, with its company and warehouse if known. */
export interface RequestedRecord {
  readonly id: number;
  readonly companyId?: number | null | undefined;
  readonly stockId?: number | null | undefined;
}

type Reach = readonly Expression[];

/** Sync definition of a record type. */
export interface SyncDefinition {
  readonly type: SyncType;
  /** Schema of the record: that of its list, without fields derived from other records. */
  readonly form: z.ZodType;
  /** Set if records of the type are soft-deleted. */
  readonly isDeletable: boolean;
  /** Conditions on a header for the caller to reach it. */
  readonly reach: (actor: Staff) => Reach;
  /**
   * Returns a reader of further conditions that need the table, one round trip; undefined if `reach` is
   * complete. These conditions use only fields that the feed carries, so `find` takes no round trip then.
   */
  readonly further: (actor: Staff) => (() => Promise<Reach>) | undefined;
  /** Reads headers in the order requested; undefined for a missing one. */
  readonly find: (
    tenant: Tenant,
    requested: readonly RequestedRecord[],
  ) => Promise<(RecordHeader | undefined)[]>;
  /** Reads headers in the order of ids. One round trip. */
  readonly walk: (tenant: Tenant, request: RowsRequest) => Promise<RowsAfter>;
  /** Counts the lines read to show a record. */
  readonly countLines: (head: RecordHeader) => number;
  /**
   * Shows records of headers, in their order. Undefined for one that the caller can't see, and for one that
   * is being changed: the change follows in the feed. Two round trips at most.
   */
  readonly show: (heads: readonly RecordHeader[], view: Viewer) => Promise<(ShownRecord | undefined)[]>;
}

/** Sync definitions by type, each built on its first use with the schemas it needs. */
export type SyncDefinitions = Readonly<Partial<Record<SyncType, () => SyncDefinition>>>;

/** Embeds common to all records, which the sync form omits. */
export const EMBEDDED = { creator: true, company: true } as const;

/** Fields of a record type for its sync. */
export type Noun = Pick<StoredType<DocumentSchema>, 'type' | 'copied'> & {
  readonly reach?: (actor: Staff) => Reach;
};

/** Overrides of a type's sync definition. */
export type SyncOverrides = Partial<
  Pick<SyncDefinition, 'reach' | 'further' | 'find' | 'walk' | 'countLines' | 'show'>
>;

/** Defines the sync of a record type; by default the sync form is the header. */
export function defineSync(noun: Noun, form: z.ZodObject, special: SyncOverrides = {}): SyncDefinition {
  const { type, copied, reach = () => [] } = noun;
  if (!copied) throw new Error(`Nothing says as what ${type} is copied`);
  return {
    type: copied,
    form,
    isDeletable: 'is_deleted' in form.shape,
    reach,
    further: () => undefined,
    find: (tenant, requested) => readHeads(type, tenant, requested),
    walk: (tenant, request) => rowsAfter(partition(type, tenant), request),
    countLines: () => 0,
    show: async (heads) => heads.map((record) => ({ record, revision: record.version })),
    ...special,
  };
}

/** Returns the condition on a record to be part of an initial sync. */
export function presentIn({ isDeletable }: SyncDefinition): Expression[] {
  return isDeletable ? [equals('is_deleted', false)] : [];
}

/** Reads headers by ids. One round trip. */
export async function readHeads(type: string, tenant: Tenant, requested: readonly RequestedRecord[]) {
  const items = await getItems(requested.map(({ id }) => recordKey(type, tenant, id)));
  return items.map((item) => item && RecordHeader.parse(item));
}
