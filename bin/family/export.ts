import { SyncType } from '#lib/records/sync-type.ts';
import { readAllAfter } from '#lib/sync/all-records.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';
import { addFile, addLines, type ExportProgress, hasFile, noteProgress, openFolder } from './folder.ts';
import { directorFor } from './owner.ts';

const FILES_AT_ONCE = 8;

/**
 * Writes all records of a family and their files to a folder, some at a time: nothing of it is kept. Cut off,
 * it goes on when it is run again; once it is whole it changes nothing. Answers with what there is.
 */
export async function exportFamily(family: number, folder: string, address: string): Promise<ExportProgress> {
  let progress = openFolder(folder, family, new Date());
  const view = { actor: directorFor(family), locale: 'ru' } as const;
  for (;;) {
    const type = SyncType.options[progress.type];
    if (type === undefined) break;
    const { entries, reached } = await readAllAfter(view, type, progress.after);
    const keys = keysIn(entries, address);
    const files = await mapConcurrent(keys, FILES_AT_ONCE, (key) => fetchFile(folder, key, address));
    const bytes = addLines(folder, type, progress.bytes, entries);
    const records = progress.records + entries.length;
    const counts = { records, files: progress.files + files.filter(Boolean).length };
    const place =
      reached === undefined
        ? { type: progress.type + 1, after: 0, bytes: 0 }
        : { type: progress.type, after: reached, bytes };
    progress = { ...progress, ...counts, ...place };
    noteProgress(folder, progress);
  }
  if (progress.ended_at === null) progress = { ...progress, ended_at: new Date().toISOString() };
  noteProgress(folder, progress);
  return progress;
}

/** Lists the files that records name, by their keys in the bucket: what they show is under the address. */
function keysIn(entries: readonly object[], address: string): string[] {
  const texts = JSON.stringify(entries).split(`"${address}/public/`).slice(1);
  return [...new Set(texts.map((text) => `public/${text.slice(0, text.indexOf('"'))}`))];
}

/** Fetches a file, unless it is there; tells whether it did. One that is gone was removed meanwhile. */
async function fetchFile(folder: string, key: string, address: string): Promise<boolean> {
  if (hasFile(folder, key)) return false;
  const answer = await fetch(`${address}/${key}`);
  if (answer.status === 404 || answer.status === 403) return false;
  if (!answer.ok) throw new Error(`${address}/${key} answers ${answer.status}: run it again.`);
  addFile(folder, key, new Uint8Array(await answer.arrayBuffer()));
  return true;
}
