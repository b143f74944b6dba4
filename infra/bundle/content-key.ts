import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Sources of the bundles; for packages, the lock file npm wrote at installation. */
const MADE_OF = [
  'bin/demo/till',
  'functions',
  'infra',
  'lib',
  'node_modules/.package-lock.json',
  'package.json',
  'tsconfig.json',
];

/**
 * Returns a key that changes only if the sources under `root` or this Node version would produce other
 * bundles.
 */
export function contentKey(root: string): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of MADE_OF.flatMap((path) => filesAt(root, path))) {
    const content = readFileSync(join(root, file));
    hash.update(`\0${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 20);
}

/** Lists the files of a folder but for those of packages, or names the one that it is. */
function filesAt(root: string, path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .flatMap(({ name }) => filesAt(root, `${path}/${name}`))
    .sort();
}
