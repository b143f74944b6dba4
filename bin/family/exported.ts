import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { filesOf, progressIn } from './folder.ts';

const Company = z.object({ id: z.int(), record: z.object({ name: z.string() }) });

/** Complete export: main company's name, start, keys of its files. */
export interface Exported {
  readonly name: string;
  readonly begunAt: number;
  readonly keys: readonly string[];
}

/** Requires a complete export of a family and returns its contents. Throws otherwise. */
export function requireExport(folder: string, family: number): Exported {
  const progress = progressIn(folder);
  if (progress?.family !== family || progress.ended_at === null)
    throw new Error(
      `${folder} has no whole export of family ${family}: npm run export -- --family ${family}`,
    );
  const lines = readFileSync(join(folder, 'company.company.jsonl'), 'utf8').split('\n').filter(Boolean);
  const main = lines.map((line) => Company.parse(JSON.parse(line))).find(({ id }) => id === family);
  if (!main) throw new Error(`${folder} has no company ${family}.`);
  return { name: main.record.name, begunAt: Date.parse(progress.begun_at), keys: filesOf(folder) };
}
