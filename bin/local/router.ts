import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { methodsByPath } from '#infra/bundle/sources.ts';
import { referenceSite } from '#infra/reference/reference-site.ts';
import { METHODS, methodsOf, type Route, UNSERVED_ROUTES } from '#infra/routes.ts';
import type { Site } from '#infra/site.ts';
import { tillSite } from '#infra/till-site.ts';
import { catchAll, withAllowHeader, withMethodOverride } from '#lib/http/edge.ts';
import { staticSite } from '#lib/http/static-site.ts';
import type { LambdaResponse } from '#lib/http/wire/response.ts';

type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<LambdaResponse>;

interface Candidate {
  readonly method: string;
  readonly key: string;
  readonly pattern: RegExp;
  readonly handler: Handler;
}

/** Addresses of sites. Building one takes most of a second, so it is built on first use. */
const OF_REFERENCE = /^\/(?:docs|openapi\.json)(?:$|\/)/;
const OF_TILL = /^\/till(?:$|\/|\.worker\.js$)/;

/**
 * Finds a request's route as API Gateway does: the one with the longest fixed prefix; undefined if none
 * matches, for any method. The reference omits routes of this machine.
 */
export function router(
  routes: readonly Route[],
  ofThisMachine: readonly Route[] = [],
  unserved: readonly string[] = UNSERVED_ROUTES,
) {
  const served = [...routes, ...ofThisMachine];
  const inOperations = finder(served, unserved);
  const inReference = once(() => finder(served, unserved, referenceSite(routes)));
  const inTill = once(() => finder(served, unserved, tillSite()));
  return (method: string, path: string) => {
    if (OF_REFERENCE.test(path)) return inReference()(method, path);
    return OF_TILL.test(path) ? inTill()(method, path) : inOperations(method, path);
  };
}

/** Makes something on first use. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function finder(served: readonly Route[], unserved: readonly string[], site?: Site) {
  const fallback = catchAll(methodsByPath(served, Object.keys(site?.files ?? {})));
  const pages = site ? pagesOf(site) : [];
  const candidates = [...served.flatMap(candidatesOf), ...pages].sort((a, b) =>
    specificity(a.key) < specificity(b.key) ? -1 : 1,
  );
  candidates.push(...unserved.map((key) => candidateOf(key, fallback)));
  return (method: string, path: string) => {
    const found = candidates.find(
      (each) => (each.method === method || each.method === ANY) && each.pattern.test(path),
    );
    return found && { ...found, pathParameters: { ...found.pattern.exec(path)?.groups } };
  };
}

/** Stands for every method, OPTIONS too. */
const ANY = 'ANY';

function candidatesOf(route: Route): Candidate[] {
  const { path, endpoints, hasMethodOverride } = route;
  return METHODS.flatMap((method) => {
    const own = hasMethodOverride && method === 'POST' ? withMethodOverride(endpoints) : endpoints[method];
    if (!own) return [];
    return [candidateOf(`${method} ${path}`, withAllowHeader(methodsOf(route), own))];
  });
}

function pagesOf({ files, contents }: Site): Candidate[] {
  const handler = staticSite(files, async (name) => contents.get(name) ?? new Uint8Array());
  return Object.keys(files).map((path) => candidateOf(`GET ${path}`, handler));
}

/**
 * Parses a route key as API Gateway does: `{name}` is a word of the path, `{name+}` the rest of it, and
 * `$default` matches everything.
 */
function candidateOf(key: string, handler: Handler): Candidate {
  if (key === '$default') return { method: ANY, key, handler, pattern: /^/ };
  const [method = '', path = ''] = key.split(' ');
  const pattern = path
    .replaceAll('.', '\\.')
    .replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')
    .replace(/\{(\w+)\+\}/g, '(?<$1>.+)');
  return { method, key, handler, pattern: new RegExp(`^${pattern}$`) };
}

// A fixed word sorts before a variable at the same place.
function specificity(key: string): string {
  return key.replace(/^\w+ /, '').replace(/\{\w+\}/g, '~');
}
