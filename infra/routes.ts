import { readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Endpoint } from '#lib/http/endpoint.ts';

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export type Method = (typeof METHODS)[number];

/**
 * Routes of the function for addresses without an operation. Every API has them, method by method: `$default`
 * and `ANY` would take OPTIONS too, which API Gateway answers itself only as long as no route does.
 */
export const UNSERVED_ROUTES = ['HEAD', ...METHODS].flatMap((method) => [
  `${method} /`,
  `${method} /{proxy+}`,
]);

/** A path, and the operations on it. */
export interface Route {
  /** Its file, relative to `functions/`: the one of its path, even if the noun's `index.ts` declares it. */
  readonly file: string;
  /** The export of the noun's `index.ts` that holds its operations, if it has no file of its own. */
  readonly within?: { readonly file: string; readonly name: string };
  /** In API Gateway's format: `/company/product/brand/{model}`. */
  readonly path: string;
  readonly endpoints: Readonly<Partial<Record<Method, Endpoint>>>;
  /** True if POST with `_method` stands in for the others. Part 1, "Shared conventions", 7. */
  readonly hasMethodOverride: boolean;
}

/** Lists the methods of a route's path. */
export function methodsOf({ endpoints, hasMethodOverride }: Route): Method[] {
  return METHODS.filter((method) => endpoints[method] || (method === 'POST' && hasMethodOverride));
}

/** A file of `functions/workers/`, triggered by the queue of its name. */
export interface WorkerFile {
  readonly file: string;
  readonly name: string;
}

/** Consumer of the table's stream. */
export const STREAM_CONSUMER: WorkerFile = { file: 'streams/follow-changes.ts', name: 'follow-changes' };

export const FUNCTIONS = join(import.meta.dirname, '../functions');

/** Finds every route, or those of a folder, by walking `functions/`, in the order of files. */
export async function discoverRoutes(folder = ''): Promise<Route[]> {
  const files = sources().filter((file) => file.startsWith(folder) && !/^(?:workers|streams)\//.test(file));
  const routes = await Promise.all(files.map(routesOf));
  return routes.flat().sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** Finds every worker. */
export function discoverWorkers(): WorkerFile[] {
  return sources()
    .filter((file) => file.startsWith('workers/'))
    .map((file) => ({ file, name: file.slice('workers/'.length, -'.ts'.length) }));
}

type Module = Readonly<Record<string, unknown>>;

/** Files of the paths that the `index.ts` of a noun with the six operations serves besides its own. */
const OF_SIX = { record: '[model].ts', restored: '[value]/restore.ts' };

async function routesOf(file: string): Promise<Route[]> {
  const module: Module = await import(pathToFileURL(join(FUNCTIONS, file)).href);
  const further = Object.entries(OF_SIX).flatMap(([name, path]) => {
    const part = module[name];
    if (!isModule(part)) return [];
    return { ...routeOf(join(dirname(file), path), part), within: { file, name } };
  });
  return [routeOf(file, module), ...further];
}

function isModule(value: unknown): value is Module {
  return typeof value === 'object' && value !== null;
}

function routeOf(file: string, module: Module): Route {
  const endpoints: Partial<Record<Method, Endpoint>> = {};
  for (const method of METHODS) {
    const exported = module[method];
    if (isEndpoint(exported)) endpoints[method] = exported;
  }
  const changes = Boolean(endpoints.PUT ?? endpoints.PATCH ?? endpoints.DELETE);
  if (changes && endpoints.POST)
    throw new Error(`${file}: POST stands for _method here and can't be an operation`);
  return { file, path: pathOf(file), endpoints, hasMethodOverride: changes };
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'function' && 'metadata' in value;
}

function pathOf(file: string): string {
  const path = file
    .replace(/\.ts$/, '')
    .replace(/(^|\/)index$/, '')
    .replace(/\[(\w+)\]/g, '{$1}');
  return `/${path}`;
}

function sources(): string[] {
  return readdirSync(FUNCTIONS, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(FUNCTIONS, join(entry.parentPath, entry.name)))
    .sort();
}
