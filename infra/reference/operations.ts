import { METHODS, type Method, type Route } from '#infra/routes.ts';
import type { Metadata } from '#lib/http/definition/definition.ts';
import nouns from './descriptions/nouns.json' with { type: 'json' };

/** An operation as the reference names it. */
export interface OperationObject {
  /** Its method and path: `POST /company/trade/sale`. */
  readonly name: string;
  readonly method: Method;
  readonly path: string;
  /** Its right if it has one of its own, else its path with dots. */
  readonly id: string;
  /** Words of the path that name its subject: `company`, `product`, `brand`. */
  readonly noun: readonly string[];
  /** The operation on it: `index`, `store`, `import`. */
  readonly verb: string;
  readonly metadata: Metadata;
  /** True if it is about one record, by an id or as the only one of its kind: that has a version. */
  readonly hasVersion: boolean;
  /** True if POST with `_method` stands in for it. */
  readonly hasMethodOverride: boolean;
}

const VERBS: Readonly<Partial<Record<Method, string>>> = {
  GET: 'show',
  POST: 'store',
  PUT: 'update',
  PATCH: 'change',
  DELETE: 'destroy',
};

/** What is looked for first at a noun. */
const ORDER = ['index', 'store', 'show', 'update', 'destroy', 'restore'];

/** Lists every operation of the routes by noun: list, create, show, edit, delete, restore, then the rest. */
export function operationObjectsOf(routes: readonly Route[]): OperationObject[] {
  const operations = routes.flatMap((route) =>
    METHODS.flatMap((method) => {
      const endpoint = route.endpoints[method];
      return endpoint ? [operationOf(route, method, endpoint.metadata)] : [];
    }),
  );
  const byNoun = Map.groupBy(operations, ({ noun }) => noun.join(' '));
  const rankOf = ({ verb }: OperationObject) => ORDER.indexOf(verb) + 1 || ORDER.length + 1;
  return [...byNoun.values()].flatMap((its) => its.toSorted((a, b) => rankOf(a) - rankOf(b)));
}

function operationOf(route: Route, method: Method, metadata: Metadata): OperationObject {
  const { file, path, hasMethodOverride } = route;
  const id = idOf(route, method, metadata);
  const words = path.split('/').filter((word) => word && !word.startsWith('{'));
  const isNoun = /(^|\/)(index|\[\w+\])\.ts$/.test(file);
  const noun = isNoun ? words : words.slice(0, -1);
  const [named = ''] = (isNoun ? id.split('.') : words).slice(-1);
  return {
    name: `${method} ${path}`,
    method,
    path,
    id,
    metadata,
    noun,
    verb: isNoun ? verbOf(named, noun, method, path) : named,
    hasVersion: hasVersion(route, method),
    hasMethodOverride: hasMethodOverride && method !== 'GET',
  };
}

/** Tells what an operation does if its right doesn't: `GET /common/user/notification` lists. */
function verbOf(named: string, noun: readonly string[], method: Method, path: string): string {
  if (named === 'model') return 'show';
  if (named !== noun.at(-1)) return named;
  if (method !== 'GET') return 'store';
  return path.endsWith('}') ? 'show' : 'index';
}

function hasVersion({ path, endpoints: { GET, PUT, PATCH } }: Route, method: Method): boolean {
  if (method === 'POST') return false;
  const isOnlyOne = !path.includes('{') && GET !== undefined && (PUT ?? PATCH) !== undefined;
  return isOnlyOne || (method === 'GET' ? path.endsWith('}') : path.includes('{'));
}

/** Paths of operations that go by the right of another: many at once, and what belongs to a return. */
const GO_BY_ANOTHER = /\/sync$|\/\{return_id\}\//;

// Makes an operation's id, which is its own: if a path's methods share a right, the id tells them apart. One
// that needs two rights, or goes by the right of another, has its path's name.
function idOf({ path, endpoints }: Route, method: Method, { right, andRight }: Metadata): string {
  const hasOwnRight = right.includes('.') && !andRight && !GO_BY_ANOTHER.test(path);
  const name = hasOwnRight ? right : path.slice(1).replaceAll('/', '.').replaceAll(/[{}]/g, '');
  const sharing = Object.values(endpoints).filter(({ metadata }) => metadata.right === right);
  return sharing.length > 1 ? `${name}.${VERBS[method]}` : name;
}

const RULES: Readonly<Record<string, string>> = nouns;

/**
 * Says the rules of a noun: what a caller must know before the first call, beside what its operations say.
 * Empty if nobody has written them, which a test finds.
 */
export function rulesOf(noun: string): string {
  return RULES[noun] ?? '';
}
