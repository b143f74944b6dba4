import * as z from 'zod';
import { requireRight, type Staff } from '#lib/auth/actor.ts';
import { importFields, runImport } from '#lib/files/import-outcome.ts';
import { byNumber, sheetRows } from '#lib/files/workbooks.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { ownersOf } from '#lib/table/transaction/unique-constraints.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import type { ErrorCode } from '#lib/values/message.ts';
import { type Locale, normalizeText } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { externalIdConstraint } from './external-id.ts';
import type { RecordType } from './record.ts';
import { insertion, replacement } from './record-writes.ts';
import { type NewRecord, newRecord } from './records-of.ts';
import { parseRecord, type RecordSchema, type Stored, showSame } from './stored.ts';

/*
 * Import of records that a workbook identifies by their external id, else by a unique text of theirs. Part 5,
 * 5B.9, 2.
 */

/** Row of such a workbook. */
interface Row {
  readonly external_id?: string | null | undefined;
}

/** Row of a new record or of an update, in which any cell may be empty. */
export type AnyRow<R> = { readonly [C in keyof R]?: R[C] | undefined };

/** A noun with such an import. */
export interface ImportedNoun<S extends RecordSchema, R extends Row> {
  readonly type: RecordType<S>;
  /** Its path with dots. */
  readonly right: `company.${string}`;
  /** The column of the unique text, and the text of a row. */
  readonly column: string;
  readonly textOf: (row: R) => string | undefined;
  /** Returns the issue of a row's text, for a noun whose records may have one that a form refuses. */
  readonly textIssue?: (row: R, before: Stored<S> | undefined) => ErrorCode | undefined;
  readonly externalIdOf: (record: Stored<S>) => string | null | undefined;
  /** Columns that a new record needs. */
  readonly required: readonly (keyof R & string)[];
  /** Builds the record of a row that has these. */
  readonly fresh: (actor: Staff, base: NewRecord, row: R) => z.input<S>;
  /** Returns the record after its row; an empty cell leaves its field unchanged. */
  readonly after: (before: Stored<S>, row: R) => Stored<S>;
}

/** Returns the schema of a body with the rows of a workbook, those of a new record or of an update. */
export function recordWorkbook<C extends z.ZodObject, U extends z.ZodObject>(create: C, update: U) {
  const columns = create.keyof().options;
  return z
    .object({
      file: sheetRows({ columns: columns.length, rows: 1000, kilobytes: 2048 }),
      mode: enumeration('import.mode', ['create', 'update']).default('create'),
      ...importFields,
    })
    .transform(({ file, ...rest }): { mode: string; dry_run: boolean; rows: unknown } => ({
      ...rest,
      rows: byNumber(file, columns),
    }))
    .pipe(
      z.discriminatedUnion('mode', [
        z.object({ mode: z.literal('create'), dry_run: z.boolean(), rows: z.record(z.string(), create) }),
        z.object({ mode: z.literal('update'), dry_run: z.boolean(), rows: z.record(z.string(), update) }),
      ]),
    );
}

/** The parsed body. */
interface RowsOf<R> {
  readonly mode: 'create' | 'update';
  readonly dry_run: boolean;
  readonly rows: Readonly<Record<string, R>>;
}

/**
 * Creates a record for each row, all or none; in mode `update` changes those that the rows identify: an empty
 * cell leaves its field unchanged, a deleted record is restored. 422 on `rows.<number>.<column>` for a text
 * or external id that is duplicate or another record's, and for an empty cell that a new record needs; 403
 * without the rights for the same changes of a card.
 */
export function importRecords<S extends RecordSchema, R extends Row>(
  noun: ImportedNoun<S, R>,
  actor: Staff,
  workbook: RowsOf<R>,
  { at, locale }: { readonly at: Instant; readonly locale: Locale },
) {
  return runImport(workbook, locale, () => planImport(noun, actor, workbook, at));
}

async function planImport<S extends RecordSchema, R extends Row>(
  noun: ImportedNoun<S, R>,
  actor: Staff,
  { mode, rows }: RowsOf<R>,
  at: Instant,
) {
  const { tenant } = actor;
  const { type } = noun;
  if (mode === 'update') requireRight(actor, `${noun.right}.update`);
  const owners = await readOwners(noun, tenant, Object.values(rows));
  const records = mode === 'update' ? await readRecords(type, tenant, owners) : new Map<number, Stored<S>>();
  if ([...records.values()].some((record) => record.is_deleted)) requireRight(actor, `${noun.right}.restore`);
  const entries = Object.entries(rows).map(([number, row]): Entry<S, R> => {
    const before = records.get(ownerOf(noun, owners, row) ?? 0);
    return { number, row, before };
  });
  const issues = new ValidationIssues();
  checkEntries(noun, entries, owners, issues);
  issues.throwIfAny();
  const changes = entries.flatMap(({ row, before }) => {
    if (!before) return [];
    const after = noun.after(before, row);
    return showSame(type.schema, before, after) ? [] : [{ before, after: { ...after, updated_at: at } }];
  });
  const fresh = entries.filter(({ before }) => !before);
  const first = fresh.length > 0 ? await nextId(type.type, tenant, fresh.length) : 0;
  const writes = [
    ...fresh.flatMap(({ row }, index) =>
      insertion(type, tenant, noun.fresh(actor, newRecord(actor, first + index, at), row)),
    ),
    ...changes.flatMap(({ before, after }) => replacement(type, tenant, before, after)),
  ];
  const restored = changes.filter(({ before }) => before.is_deleted).length;
  return { writes, created: fresh.length, changed: changes.length - restored, restored };
}

/** Row with the record that it identifies. */
interface Entry<S extends RecordSchema, R extends Row> {
  readonly number: string;
  readonly row: R;
  readonly before: Stored<S> | undefined;
}

/** Ids of records by their unique text, as compared, and by their external id. */
interface Owners {
  readonly byText: ReadonlyMap<string, number>;
  readonly byExternalId: ReadonlyMap<string, number>;
}

/** Reads the owners of all texts and external ids of rows. One round trip. */
async function readOwners<S extends RecordSchema, R extends Row>(
  { type, column, textOf }: ImportedNoun<S, R>,
  tenant: Tenant,
  rows: readonly R[],
): Promise<Owners> {
  const texts = [...new Set(rows.flatMap((row) => comparable(textOf(row)) ?? []))];
  const externalIds = [...new Set(rows.flatMap((row) => row.external_id ?? []))];
  const ids = await ownersOf(type.type, [
    ...texts.map((text) => ({ path: column, scope: tenant, text })),
    ...externalIds.map((id) => externalIdConstraint(id, tenant)),
  ]);
  const ownersIn = (keys: readonly string[], offset: number) =>
    new Map(
      keys.flatMap((key, index): [string, number][] => {
        const id = ids[offset + index];
        return id === undefined ? [] : [[key, id]];
      }),
    );
  return { byText: ownersIn(texts, 0), byExternalId: ownersIn(externalIds, texts.length) };
}

async function readRecords<S extends RecordSchema>(
  { type, schema }: RecordType<S>,
  tenant: Tenant,
  { byText, byExternalId }: Owners,
): Promise<ReadonlyMap<number, Stored<S>>> {
  const ids = [...new Set([...byText.values(), ...byExternalId.values()])];
  const items = await getItems(ids.map((id) => recordKey(type, tenant, id)));
  return new Map(
    items.flatMap((item): [number, Stored<S>][] => {
      const record = item && parseRecord(schema, item);
      return record ? [[record.id, record]] : [];
    }),
  );
}

/** Returns the id of the record that a row identifies: by external id, else by its unique text. */
function ownerOf<S extends RecordSchema, R extends Row>(
  { textOf }: ImportedNoun<S, R>,
  { byText, byExternalId }: Owners,
  row: R,
): number | undefined {
  return byExternalId.get(row.external_id ?? '') ?? byText.get(comparable(textOf(row)) ?? '');
}

/** Validates that rows fit each other and the records: all issues at once. */
function checkEntries<S extends RecordSchema, R extends Row>(
  noun: ImportedNoun<S, R>,
  entries: readonly Entry<S, R>[],
  owners: Owners,
  issues: ValidationIssues,
): void {
  const texts = uniqueness(owners.byText, issues);
  const externalIds = uniqueness(owners.byExternalId, issues);
  const seen = new Set<number>();
  for (const { number, row, before } of entries) {
    const textPath = `rows.${number}.${noun.column}`;
    const externalPath = `rows.${number}.external_id`;
    const issue = noun.textIssue?.(row, before);
    if (issue) issues.add(textPath, issue);
    texts(textPath, comparable(noun.textOf(row)), before?.id);
    externalIds(externalPath, row.external_id ?? undefined, before?.id);
    if (!before) {
      requireCells(noun, { number, row }, issues);
      continue;
    }
    const isByText = owners.byExternalId.get(row.external_id ?? '') !== before.id;
    if (isByText && row.external_id && noun.externalIdOf(before)) issues.add(textPath, 'validation.taken');
    if (seen.has(before.id)) issues.add(isByText ? textPath : externalPath, 'validation.duplicate');
    seen.add(before.id);
  }
}

/** Requires the cells of a new record. */
function requireCells<S extends RecordSchema, R extends Row>(
  { required }: ImportedNoun<S, R>,
  { number, row }: Pick<Entry<S, R>, 'number' | 'row'>,
  issues: ValidationIssues,
): void {
  for (const column of required) {
    if (row[column] === undefined) issues.add(`rows.${number}.${column}`, 'validation.required');
  }
}

/** Returns a check of values in one column: each is in one row alone, and no other record's. */
function uniqueness(owners: ReadonlyMap<string, number>, issues: ValidationIssues) {
  const seen = new Set<string>();
  return (path: string, value: string | undefined, own: number | undefined) => {
    if (value === undefined) return;
    const owner = owners.get(value);
    if (seen.has(value)) issues.add(path, 'validation.duplicate');
    if (owner !== undefined && owner !== own) issues.add(path, 'validation.taken');
    seen.add(value);
  };
}

function comparable(text: string | undefined): string | undefined {
  return text === undefined ? undefined : normalizeText(text);
}
