import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import type { DocumentSchema, StoredType } from '#lib/records/stored.ts';
import type { SyncType } from '#lib/records/sync-type.ts';
import { type Expression, equals } from '#lib/table/expression.ts';
import { partition, recordKey, type Tenant } from '#lib/table/keys.ts';
import { type RowsAfter, type RowsRequest, rowsAfter } from '#lib/table/list/rows-after.ts';
import { getItems } from '#lib/table/read/get.ts';
import type { Locale } from '#lib/values/text.ts';

/** The header of a record as it was read, and its version. */
export const RecordHeader = z.looseObject({ id: z.int(), version: z.int() });

export type RecordHeader = z.output<typeof RecordHeader>;

/** Whom records are shown to. */
export interface Viewer {
  readonly actor: Staff;
  readonly locale: Locale;
  /**
   * Set if revisions are enough: then records come without lines and sums, and none is left out since it
   * changes just now.
   */
  readonly isBare?: true;
}

/** A record as a copy has it. */
export interface ShownRecord {
  readonly record: object;
  /** Versions of all its items, added up: none ever goes back. */
  readonly revision: number;
}

/** A record that is asked for by its id, and its company and its warehouse, if these are known. */
export interface RequestedRecord {
  readonly id: number;
  readonly companyId?: number | null | undefined;
  readonly stockId?: number | null | undefined;
}

type Reach = readonly Expression[];

/** How records of a type are copied. */
export interface SyncDefinition {
  readonly type: SyncType;
  /** The record as it is shown: what its list gives of it, without what comes of other records. */
  readonly form: z.ZodType;
  /** Set if what is of the type is deleted softly. */
  readonly isDeletable: boolean;
  /** Conditions on a header for a caller to reach it. */
  readonly reach: (actor: Staff) => Reach;
  /**
   * Says how further conditions are read if the table must tell them, one round trip; undefined if `reach` is
   * all. They are on what an event tells: then `find` takes no round trip.
   */
  readonly further: (actor: Staff) => (() => Promise<Reach>) | undefined;
  /** Reads headers, each in its place; undefined if there is none. */
  readonly find: (
    tenant: Tenant,
    wanted: readonly RequestedRecord[],
  ) => Promise<(RecordHeader | undefined)[]>;
  /** Reads headers in the order of their ids. One round trip. */
  readonly walk: (tenant: Tenant, asked: RowsRequest) => Promise<RowsAfter>;
  /** Counts the lines that are read to show a record. */
  readonly countLines: (head: RecordHeader) => number;
  /**
   * Makes records of headers, each in its place. Undefined for one that is not there for the caller, and for
   * one that changes just now: its change comes after it. Two round trips at most.
   */
  readonly show: (heads: readonly RecordHeader[], view: Viewer) => Promise<(ShownRecord | undefined)[]>;
}

/** How types are copied: each is made for a call that asks for it, with the schemas that it needs. */
export type SyncDefinitions = Readonly<Partial<Record<SyncType, () => SyncDefinition>>>;

/** The embeds of every record, which no copy has. */
export const EMBEDDED = { creator: true, company: true } as const;

/** A noun as far as its copies ask for it. */
export type Noun = Pick<StoredType<DocumentSchema>, 'type' | 'copied'> & {
  readonly reach?: (actor: Staff) => Reach;
};

/** What is special about a type. */
export type SyncOverrides = Partial<
  Pick<SyncDefinition, 'reach' | 'further' | 'find' | 'walk' | 'countLines' | 'show'>
>;

/** Says how the records of a noun are copied; without more, as their headers are. */
export function defineSync(noun: Noun, form: z.ZodObject, special: SyncOverrides = {}): SyncDefinition {
  const { type, copied, reach = () => [] } = noun;
  if (!copied) throw new Error(`Nothing says as what ${type} is copied`);
  return {
    type: copied,
    form,
    isDeletable: 'is_deleted' in form.shape,
    reach,
    further: () => undefined,
    find: (tenant, wanted) => readHeads(type, tenant, wanted),
    walk: (tenant, asked) => rowsAfter(partition(type, tenant), asked),
    countLines: () => 0,
    show: async (heads) => heads.map((record) => ({ record, revision: record.version })),
    ...special,
  };
}

/** Holds if a record is there for a first copy. */
export function presentIn({ isDeletable }: SyncDefinition): Expression[] {
  return isDeletable ? [equals('is_deleted', false)] : [];
}

/** Reads headers by their ids. One round trip. */
export async function readHeads(type: string, tenant: Tenant, wanted: readonly RequestedRecord[]) {
  const items = await getItems(wanted.map(({ id }) => recordKey(type, tenant, id)));
  return items.map((item) => item && RecordHeader.parse(item));
}
