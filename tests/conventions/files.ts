import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The root of the repository. */
export const ROOT = join(import.meta.dirname, '../..');

/** Folders that the house has code in. */
export const FOLDERS = ['bench', 'bin', 'functions', 'infra', 'lib', 'tests'] as const;

/** The example of a till: a program of its own in a browser, which imports nothing of the project. */
export const TILL = 'bin/demo/till/';

/** Lists every TypeScript file of these folders, relative to the root. */
export function codeFiles(folders: readonly string[] = FOLDERS): string[] {
  return folders.flatMap((folder) => filesUnder(folder, '.ts'));
}

/** Lists every file of a folder by its ending, relative to the root, except installed and generated ones. */
export function filesUnder(folder: string, ending: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending) && !/node_modules|^client\/generated/.test(file))
    .map((file) => join(folder, file))
    .sort();
}

/** Reads a file of the repository. */
export function textOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}
