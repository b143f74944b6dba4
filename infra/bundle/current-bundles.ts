import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import type { Bundles } from './bundle-functions.ts';
import { contentKey } from './content-key.ts';
import { ROOT } from './settings.ts';

const KEPT = join(ROOT, '.build/functions');

/** Outdated folders kept for processes that still use them after a source has changed. */
const MAX_KEPT = 3;

/** Metadata of the bundles in a folder. Written last: a folder without it is incomplete. */
export const LIST = 'bundles.json';

const Listed = z.array(
  z.tuple([
    z.string(),
    z.object({
      directory: z.string(),
      bytes: z.int(),
      isNative: z.boolean(),
      usesTable: z.boolean(),
      packages: z.array(z.string()),
    }),
  ]),
);

const run = promisify(execFile);

/**
 * Returns the bundles of all deployed functions. Building them takes the processor for most of a minute, so
 * bundles of the same sources are built once and shared by the stacks, their tests and the benchmarks.
 */
export async function currentBundles(): Promise<Bundles> {
  const key = contentKey(ROOT);
  const folder = join(KEPT, key);
  if (!existsSync(join(folder, LIST))) await makeOnce(folder);
  // If a source was changed during the build, bundles may mix old and new code.
  if (contentKey(ROOT) !== key) {
    await rm(folder, { recursive: true, force: true });
    return currentBundles();
  }
  const listed = Listed.parse(JSON.parse(readFileSync(join(folder, LIST), 'utf8')));
  return new Map(
    listed.map(([name, { directory, ...bundle }]) => [
      name,
      { ...bundle, directory: join(folder, directory) },
    ]),
  );
}

/**
 * Makes all bundles beside the folder, and gives them its name once they are whole. A process of its own
 * makes them: where tests load modules, packages have names that plain Node does not give them.
 */
async function makeOnce(folder: string): Promise<void> {
  mkdirSync(KEPT, { recursive: true });
  const making = mkdtempSync(join(KEPT, 'making-'));
  await run(process.execPath, [join(import.meta.dirname, 'make-bundles.ts'), making]);
  try {
    renameSync(making, folder);
  } catch (error) {
    // Another process was faster, and made the same.
    if (!existsSync(join(folder, LIST))) throw error;
    await rm(making, { recursive: true });
  }
  await forgetOldest();
}

async function forgetOldest(): Promise<void> {
  const folders = readdirSync(KEPT)
    .map((name) => join(KEPT, name))
    .map((path) => ({ path, made: statSync(path).mtimeMs }))
    .toSorted((a, b) => b.made - a.made);
  await Promise.all(folders.slice(MAX_KEPT).map(({ path }) => rm(path, { recursive: true, force: true })));
}
