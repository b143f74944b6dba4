import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { methodsByPath } from '#infra/bundle/sources.ts';
import { type ReferenceSite, referenceSite } from '#infra/reference/reference-site.ts';
import { METHODS, methodsOf, type Route } from '#infra/routes.ts';
import { allowing, catchAll, overridable } from '#lib/http/entrance.ts';
import { site } from '#lib/http/site.ts';
import type { Answer } from '#lib/http/wire/answer.ts';

type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<Answer>;

export interface Match {
  readonly key: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly handler: Handler;
}

interface Candidate extends Omit<Match, 'pathParameters'> {
  readonly method: string;
  readonly pattern: RegExp;
}

/**
 * Finds a request's route as API Gateway does: the one whose fixed words reach furthest, `$default` if none
 * fits. The reference does not tell those of this machine.
 */
export function router(
  routes: readonly Route[],
  ofThisMachine: readonly Route[] = [],
): (method: string, path: string) => Match {
  const reference = referenceSite(routes);
  const served = [...routes, ...ofThisMachine];
  const fallback = catchAll(methodsByPath(served, Object.keys(reference.files)));
  const candidates = [...served.flatMap(candidatesOf), ...pagesOf(reference)].sort((a, b) =>
    specificity(a.key) < specificity(b.key) ? -1 : 1,
  );
  return (method, path) => {
    for (const { key, handler, pattern, method: expected } of candidates) {
      const found = expected === method ? pattern.exec(path) : null;
      if (found) return { key, handler, pathParameters: { ...found.groups } };
    }
    return { key: '$default', handler: fallback, pathParameters: {} };
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
