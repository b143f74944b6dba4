import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { methodsByPath } from '#infra/bundle/sources.ts';
import { type ReferenceSite, referenceSite } from '#infra/reference/reference-site.ts';
import { METHODS, methodsOf, type Route } from '#infra/routes.ts';
import { allowing, catchAll, overridable } from '#lib/http/entrance.ts';
import { site } from '#lib/http/site.ts';
import type { Answer } from '#lib/http/wire/answer.ts';

type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<Answer>;

interface Candidate {
  readonly method: string;
  readonly key: string;
  readonly pattern: RegExp;
  readonly handler: Handler;
}

/** Addresses of the reference. It takes most of a second to make, and is made when it is first asked for. */
const OF_REFERENCE = /^\/(?:docs|openapi\.json)(?:$|\/)/;

/**
 * Finds a request's route as API Gateway does: the one whose fixed words reach furthest, `$default` if none
 * fits. The reference does not tell those of this machine.
 */
export function router(routes: readonly Route[], ofThisMachine: readonly Route[] = []) {
  const served = [...routes, ...ofThisMachine];
  const inOperations = finder(served);
  let inAll: ReturnType<typeof finder> | undefined;
  return (method: string, path: string) => {
    if (!OF_REFERENCE.test(path)) return inOperations(method, path);
    inAll ??= finder(served, referenceSite(routes));
    return inAll(method, path);
  };
}

function finder(served: readonly Route[], reference?: ReferenceSite) {
  const fallback = catchAll(methodsByPath(served, Object.keys(reference?.files ?? {})));
  const pages = reference ? pagesOf(reference) : [];
  const candidates = [...served.flatMap(candidatesOf), ...pages].sort((a, b) =>
    specificity(a.key) < specificity(b.key) ? -1 : 1,
  );
  return (method: string, path: string) => {
    const found = candidates.find((each) => each.method === method && each.pattern.test(path));
    const { key, handler } = found ?? { key: '$default', handler: fallback };
    return { key, handler, pathParameters: { ...found?.pattern.exec(path)?.groups } };
  };
}

function candidatesOf(route: Route): Candidate[] {
  const { path, endpoints, hasMethodOverride } = route;
  const pattern = new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
  return METHODS.flatMap((method) => {
    const own = hasMethodOverride && method === 'POST' ? overridable(endpoints) : endpoints[method];
    if (!own) return [];
    return [{ method, key: `${method} ${path}`, handler: allowing(methodsOf(route), own), pattern }];
  });
}

function pagesOf({ files, contents }: ReferenceSite): Candidate[] {
  const handler = site(files, async (name) => contents.get(name) ?? new Uint8Array());
  return Object.keys(files).map((path) => ({
    method: 'GET',
    key: `GET ${path}`,
    handler,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.')}$`),
  }));
}

// A fixed word sorts before a variable at the same place.
function specificity(key: string): string {
  return key.replace(/^\w+ /, '').replace(/\{\w+\}/g, '~');
}
