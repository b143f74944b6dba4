import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';

/*
 * Folder of an export: a file of JSON lines for each type of records, the files they refer to under `files/`,
 * and the progress. Lines written beyond the progress by an interrupted export are truncated when it resumes.
 */

const ExportProgress = z.object({
  family: z.int(),
  /**
   * Number of completed types; of the next type, the last exported id and the length of its file in bytes.
   */
  type: z.int(),
  after: z.int(),
  bytes: z.int(),
  records: z.int(),
  /** Number of files, set at completion. */
  files: z.int(),
  /** Start and completion. */
  begun_at: z.string(),
  ended_at: z.string().nullable(),
});

/** Progress of an export. */
export type ExportProgress = z.output<typeof ExportProgress>;

const NAME = 'export.json';

/** Suffix of a file that is not yet complete. */
const UNFINISHED = '.new';

/** Opens a folder for a family's export, or resumes the one in it. */
export function openFolder(folder: string, family: number, now: Date): ExportProgress {
  mkdirSync(folder, { recursive: true });
  const found = progressIn(folder);
  if (found && found.family !== family)
    throw new Error(`${folder} has the export of family ${found.family}: choose another folder.`);
  const begun = { type: 0, after: 0, bytes: 0, records: 0, files: 0 };
  return found ?? { family, ...begun, begun_at: now.toISOString(), ended_at: null };
}

/** Reads the progress of the export in a folder; undefined if there is none. */
export function progressIn(folder: string): ExportProgress | undefined {
  const file = join(folder, NAME);
  return existsSync(file) ? ExportProgress.parse(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
}

/** Saves the progress of an export atomically. */
export function noteProgress(folder: string, progress: ExportProgress): void {
  const file = join(folder, NAME);
  writeFileSync(`${file}${UNFINISHED}`, `${JSON.stringify(progress, undefined, 2)}\n`, { flush: true });
  renameSync(`${file}${UNFINISHED}`, file);
}

/** Writes lines to a type's file at an offset in bytes, truncating the rest, and returns the new length. */
export function addLines(folder: string, type: string, bytes: number, lines: readonly object[]): number {
  const file = join(folder, `${type}.jsonl`);
  if (!existsSync(file)) writeFileSync(file, '');
  truncateSync(file, bytes);
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  appendFileSync(file, text, { flush: true });
  return bytes + Buffer.byteLength(text);
}

/** Returns whether a file of the bucket is in the folder. */
export function hasFile(folder: string, key: string): boolean {
  return existsSync(join(folder, 'files', key));
}

/** Writes a file of the bucket to the folder atomically. */
export function addFile(folder: string, key: string, content: Uint8Array): void {
  const file = join(folder, 'files', key);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}${UNFINISHED}`, content);
  renameSync(`${file}${UNFINISHED}`, file);
}

/** Lists the files of an export by their keys in the bucket. */
export function filesOf(folder: string): string[] {
  const files = join(folder, 'files');
  if (!existsSync(files)) return [];
  return readdirSync(files, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.endsWith(UNFINISHED) && statSync(join(files, name)).isFile(),
  );
}
