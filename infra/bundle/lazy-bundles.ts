import { join } from 'node:path';
import { build } from 'esbuild';
import type { LazyImport } from './lazy-imports.ts';
import { BUNDLING } from './settings.ts';
import { inMemory } from './sources.ts';
import { TRIMMING } from './trimming.ts';

/** A native package: it comes in a layer, not in a bundle. */
export const NATIVE = 'sharp';

// Only `require` looks into /opt/nodejs, where Lambda puts layers; `import` doesn't.
const NATIVE_SOURCE = `import { createRequire } from 'node:module';
  export default createRequire(import.meta.url)('${NATIVE}');`;

/** Bundles the packages that functions load lazily, once each, to `<directory>/<file>`. */
export async function bundleLazyImports(
  imports: readonly LazyImport[],
  directory: string,
): Promise<ReadonlyMap<string, string>> {
  const sources = await Promise.all(
    imports.map(async ({ file, specifier }): Promise<[string, string]> => [file, await sourceOf(specifier)]),
  );
  await build({
    ...BUNDLING,
    entryPoints: Object.fromEntries(
      sources.map(([file]) => [file.slice(0, -'.mjs'.length), `source:${file}`]),
    ),
    outdir: directory,
    external: [NATIVE],
    plugins: [inMemory(new Map(sources)), ...TRIMMING],
  });
  return new Map(imports.map(({ file }) => [file, join(directory, file)]));
}

/**
 * Writes a module with exactly the names that Node gives the package, so that `import()` answers the same
 * here and there.
 */
async function sourceOf(specifier: string): Promise<string> {
  if (specifier === NATIVE) return NATIVE_SOURCE;
  const names = Object.keys(await import(specifier)).filter((name) => /^\w+$/.test(name));
  return `export { ${names.join(', ')} } from ${JSON.stringify(specifier)};`;
}
