import { cp, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { referenceSite } from '#infra/reference/reference-site.ts';
import type { Route, WorkerFile } from '#infra/routes.ts';
import type { Site } from '#infra/site.ts';
import { tillSite } from '#infra/till-site.ts';
import { bundleLazyImports, NATIVE } from './lazy-bundles.ts';
import { lazyImports, lazyImportsOf } from './lazy-imports.ts';
import { BUNDLING, ROOT } from './settings.ts';
import { inMemory, REFERENCE, sourcesOf } from './sources.ts';
import { TRIMMING } from './trimming.ts';

/** The code of a file under `functions/`, as it goes to Lambda. */
export interface FunctionBundle {
  /** Contains `index.mjs` and its lazily loaded files. */
  readonly directory: string;
  /** The size of `index.mjs`. */
  readonly bytes: number;
  /** True if it needs the layer with sharp. */
  readonly isNative: boolean;
  /** True if its code can reach the table. */
  readonly usesTable: boolean;
  /** The packages in `index.mjs`, which every start loads. */
  readonly packages: readonly string[];
}

/** Modules that read texts from a folder beside them. */
const TEXTS = { 'lib/values/message.ts': 'messages', 'lib/values/labels/label.ts': 'labels' };

export type Bundles = ReadonlyMap<string, FunctionBundle>;

/**
 * Bundles every route, every worker, `$default` and the reference in one run of esbuild, into `directory`,
 * which it clears.
 */
export async function bundleFunctions(
  routes: readonly Route[],
  workers: readonly WorkerFile[],
  directory: string,
): Promise<Bundles> {
  await rm(directory, { recursive: true, force: true });
  const reference = referenceSite(routes);
  // Every deployment has the files of the till; only those with `-c TILL=on` route to them.
  const till = tillSite();
  const sources = sourcesOf(routes, workers, reference, till);
  const { metafile } = await build({
    ...BUNDLING,
    entryPoints: Object.fromEntries(
      [...sources.keys()].map((name) => [`${flat(name)}/index`, `source:${name}`]),
    ),
    outdir: directory,
    plugins: [inMemory(sources), ...TRIMMING, lazyImports()],
  });
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [basename(dirname(path)), output]),
  );
  await Promise.all([
    addLazyImports(outputs, directory),
    addTexts(outputs, directory),
    addContents(reference, join(directory, flat(REFERENCE))),
    addContents(till, join(directory, flat(REFERENCE))),
  ]);
  return new Map([...sources.keys()].map((name) => [name, bundleOf(flat(name), outputs, directory)]));
}

type Outputs = ReadonlyMap<string, Metafile['outputs'][string]>;

/** Adds to each bundle its lazily loaded modules. */
async function addLazyImports(outputs: Outputs, directory: string): Promise<void> {
  const wanted = [...outputs].flatMap(([name, output]) =>
    lazyImportsOf(output).map((lazy) => ({ ...lazy, to: join(directory, name, lazy.file) })),
  );
  const distinct = [...new Map(wanted.map((lazy) => [lazy.file, lazy])).values()];
  const bundled = await bundleLazyImports(distinct, join(directory, '.lazy'));
  await Promise.all(wanted.map(({ file, to }) => cp(bundled.get(file) ?? '', to)));
}

/** Adds to each bundle the texts that its modules read on first use. */
async function addTexts(outputs: Outputs, directory: string): Promise<void> {
  const wanted = [...outputs].flatMap(([name, { inputs }]) =>
    Object.entries(TEXTS).flatMap(([module, folder]) => (inputs[module] ? [{ name, folder }] : [])),
  );
  await Promise.all(
    wanted.map(({ name, folder }) =>
      cp(join(ROOT, 'lib/values', folder), join(directory, name, folder), { recursive: true }),
    ),
  );
}

/** Adds the files of the reference to the bundle that serves them. */
async function addContents({ contents }: Site, directory: string): Promise<void> {
  await Promise.all([...contents].map(([name, content]) => writeFile(join(directory, name), content)));
}

function bundleOf(name: string, outputs: Outputs, directory: string): FunctionBundle {
  const output = outputs.get(name);
  if (!output) throw new Error(`esbuild wrote no bundle ${name}`);
  return {
    directory: resolve(ROOT, directory, name),
    bytes: output.bytes,
    isNative: lazyImportsOf(output).some(({ specifier }) => specifier === NATIVE),
    usesTable: 'lib/table/client.ts' in output.inputs,
    packages: packagesIn(output),
  };
}

function packagesIn({ inputs }: Metafile['outputs'][string]): string[] {
  const names = Object.keys(inputs).flatMap((path) => {
    const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
    return name ?? [];
  });
  return [...new Set(names)].sort();
}

/** Turns a file's path into the name of one directory, so that no bundle is inside another's. */
function flat(file: string): string {
  return file.replace(/\.ts$/, '').replaceAll('/', '.');
}
