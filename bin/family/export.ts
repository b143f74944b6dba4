import { SyncType } from '#lib/records/sync-type.ts';
import { readAllAfter } from '#lib/sync/all-records.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';
import { fileKeysIn } from './file-keys.ts';
import {
  addFile,
  addLines,
  type ExportProgress,
  filesOf,
  hasFile,
  noteProgress,
  openFolder,
} from './folder.ts';
import { furtherLines } from './further.ts';
import { FURTHER, type FurtherKind, fileOf } from './kinds.ts';
import { directorFor } from './owner.ts';

const FILES_AT_ONCE = 8;

/** Export in progress: its folder, the address of the files. */
interface Exporting {
  readonly folder: string;
  readonly address: string;
  readonly progress: ExportProgress;
}

/**
 * Writes all records and files of a family to a folder in steps, in constant memory. An interrupted export
 * resumes on the next run; a complete one is left unchanged. Returns its final progress.
 */
export async function exportFamily(family: number, folder: string, address: string): Promise<ExportProgress> {
  let progress = openFolder(folder, family, new Date());
  while (progress.ended_at === null) {
    progress = await takeStep({ folder, address, progress });
    noteProgress(folder, progress);
  }
  return progress;
}

async function takeStep(exporting: Exporting): Promise<ExportProgress> {
  const { progress } = exporting;
  const types = SyncType.options;
  const type = types[progress.type];
  if (type !== undefined) return addRecords(exporting, type);
  const kind = FURTHER[progress.type - types.length];
  if (kind) return addKind(exporting, kind);
  return { ...progress, files: filesOf(exporting.folder).length, ended_at: new Date().toISOString() };
}

/** Appends the next records of a type, as sync returns them. */
async function addRecords(exporting: Exporting, type: SyncType): Promise<ExportProgress> {
  const { folder, address, progress } = exporting;
  const view = { actor: directorFor(progress.family), locale: 'ru' } as const;
  const { entries, reached } = await readAllAfter(view, type, progress.after);
  await addFiles(exporting, entries, `${address}/`);
  const bytes = addLines(folder, type, progress.bytes, entries);
  const place =
    reached === undefined
      ? { type: progress.type + 1, after: 0, bytes: 0 }
      : { type: progress.type, after: reached, bytes };
  return { ...progress, records: progress.records + entries.length, ...place };
}

/**
 * Appends all items of a kind that sync does not show. After an interruption it starts from the first item.
 */
async function addKind(exporting: Exporting, kind: FurtherKind): Promise<ExportProgress> {
  const { folder, progress } = exporting;
  let { records } = progress;
  let bytes = addLines(folder, fileOf(kind), 0, []);
  for await (const lines of furtherLines(kind, familyTenant(progress.family))) {
    await addFiles(exporting, lines, '');
    bytes = addLines(folder, fileOf(kind), bytes, lines);
    records += lines.length;
  }
  return { ...progress, records, type: progress.type + 1, after: 0, bytes: 0 };
}

/** Downloads the files that lines refer to. */
async function addFiles(
  { folder, address }: Exporting,
  lines: readonly object[],
  before: string,
): Promise<void> {
  await mapConcurrent(fileKeysIn(lines, before), FILES_AT_ONCE, (key) => fetchFile(folder, key, address));
}

/**
 * Downloads a file unless it is already in the folder. A missing file (403, 404) was removed in the meantime.
 */
async function fetchFile(folder: string, key: string, address: string): Promise<void> {
  if (hasFile(folder, key)) return;
  const answer = await fetch(`${address}/${key}`);
  if (answer.status === 404 || answer.status === 403) return;
  if (!answer.ok) throw new Error(`${address}/${key} answers ${answer.status}: run it again.`);
  addFile(folder, key, new Uint8Array(await answer.arrayBuffer()));
}
