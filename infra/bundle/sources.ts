import type { Plugin } from 'esbuild';
import { CHANGING } from '#infra/route-functions.ts';
import { METHODS, methodsOf, type Route, type WorkerFile } from '#infra/routes.ts';
import type { Site } from '#infra/site.ts';
import { ROOT } from './settings.ts';

/** The name of the bundle for every address without a route. */
export const NOT_FOUND_BUNDLE = '$default';

/** The name of the reference's bundle. */
export const REFERENCE = '$reference';

/** Makes the entry module of each bundle, by the bundle's name, which is its file under `functions/`. */
export function sourcesOf(
  routes: readonly Route[],
  workers: readonly WorkerFile[],
  { files }: Site,
  till: Site,
): ReadonlyMap<string, string> {
  return new Map([
    ...routes.map((route): [string, string] => [route.file, routeSource(route)]),
    ...workers.map(({ file }): [string, string] => [
      file,
      `export { handler } from ${quote(`#functions/${file}`)};`,
    ]),
    [
      NOT_FOUND_BUNDLE,
      `import { catchAll, requireEdge } from '#lib/http/edge.ts';
      const methods = ${JSON.stringify(methodsByPath(routes, Object.keys(files)))};
      export const handler = requireEdge(catchAll(methods));`,
    ],
    [
      REFERENCE,
      `import { readFile } from 'node:fs/promises';
      import { requireEdge } from '#lib/http/edge.ts';
      import { staticSite } from '#lib/http/static-site.ts';
      const read = (name) => readFile(new URL(name, import.meta.url));
      const files = ${JSON.stringify({ ...files, ...till.files })};
      export const handler = requireEdge(staticSite(files, read));`,
    ],
  ]);
}

/** Lists the methods of every path that is served, those of fixed files included. */
export function methodsByPath(routes: readonly Route[], files: readonly string[]): Record<string, string[]> {
  return Object.fromEntries([
    ...routes.map((route) => [route.path, methodsOf(route)]),
    ...files.map((path) => [path, ['GET']]),
  ]);
}

/** Lets esbuild take modules from memory: `source:<name>`. */
export function inMemory(sources: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'in-memory',
    setup(build) {
      build.onResolve({ filter: /^source:/ }, ({ path }) => ({
        path: path.slice('source:'.length),
        namespace: 'source',
      }));
      build.onLoad({ filter: /./, namespace: 'source' }, ({ path }) => ({
        contents: sources.get(path) ?? '',
        resolveDir: ROOT,
        loader: 'ts',
      }));
    },
  };
}

/**
 * Exports the methods of a route's file, each wrapped by `requireEdge`; the first that changes things serves
 * POST with `_method` too.
 */
function routeSource(route: Route): string {
  const { file, within, endpoints, hasMethodOverride } = route;
  const changing = hasMethodOverride ? CHANGING.filter((method) => endpoints[method]) : [];
  const overridden = `withMethodOverride({ ${changing.map((method) => `${method}: route.${method}`).join(', ')} })`;
  const methods = JSON.stringify(methodsOf(route));
  const functions = METHODS.filter((method) => endpoints[method]).map((method) => {
    const own = method === changing[0] ? overridden : `route.${method}`;
    return `export const ${method} = requireEdge(withAllowHeader(${methods}, ${own}));`;
  });
  return [
    within
      ? `import { ${within.name} as route } from ${quote(`#functions/${within.file}`)};`
      : `import * as route from ${quote(`#functions/${file}`)};`,
    "import { withAllowHeader, requireEdge, withMethodOverride } from '#lib/http/edge.ts';",
    ...functions,
  ].join('\n');
}

function quote(text: string): string {
  return JSON.stringify(text);
}
