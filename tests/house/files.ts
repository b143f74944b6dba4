import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the repository begins. */
export const ROOT = join(import.meta.dirname, '../..');

/** The folders that the house has code in. */
export const FOLDERS = ['bench', 'bin', 'functions', 'infra', 'lib', 'tests'] as const;

/** Every TypeScript file of these folders, relative to the root. */
export function codeFiles(folders: readonly string[] = FOLDERS): string[] {
  return folders.flatMap((folder) => filesUnder(folder, '.ts'));
}

/** Every file under a folder whose name ends so, relative to the root; packages that are installed there are left out. */
export function filesUnder(folder: string, ending: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending) && !file.includes('node_modules'))
    .map((file) => join(folder, file))
    .sort();
}

/** The text of a file of the repository. */
export function textOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}
