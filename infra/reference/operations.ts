import { METHODS, type Method, type Route } from '#infra/routes.ts';
import type { Metadata } from '#lib/http/definition/definition.ts';
import nouns from './descriptions/nouns.json' with { type: 'json' };

/** Operation of the reference. */
export interface OperationObject {
  /** Method and path: `POST /company/trade/sale`. */
  readonly name: string;
  readonly method: Method;
  readonly path: string;
  /** Right of the operation if it is its own, else the path with dots. */
  readonly id: string;
  /** Words of the path that name the noun: `company`, `product`, `brand`. */
  readonly noun: readonly string[];
  /** Operation on the noun: `index`, `store`, `import`. */
  readonly verb: string;
  readonly metadata: Metadata;
  /** Whether it concerns a single record, by id or as a singleton, which has a version. */
  readonly hasVersion: boolean;
  /** Whether POST with `_method` is accepted instead. */
  readonly hasMethodOverride: boolean;
}

const VERBS: Readonly<Partial<Record<Method, string>>> = {
  GET: 'show',
  POST: 'store',
  PUT: 'update',
  PATCH: 'change',
  DELETE: 'destroy',
};

/** Verbs listed first for a noun. */
const ORDER = ['index', 'store', 'show', 'update', 'destroy', 'restore'];

/** Lists all operations of the routes by noun: list, create, show, edit, delete, restore, then the rest. */
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

/** Returns the verb of an operation whose right doesn't end in it: `GET /common/user/notification` lists. */
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

/** The end of the right to edit. */
const UPDATE = '.update';

/** Paths of operations that share the right of another: bulk operations, previews and those on a return. */
const SHARE_RIGHT = /\/(?:sync|preview|role\/rights)$|\/\{return_id\}\//;

/**
 * Builds the unique id of an operation: methods of a path that share a right get their verb, but a PUT beside
 * a PATCH of the same fields keeps its own. An operation
 * that requires two rights, or shares the right of another, is named by its path.
 */
function idOf({ path, endpoints }: Route, method: Method, { right, andRight }: Metadata): string {
  const hasOwnRight = right.includes('.') && !andRight && !SHARE_RIGHT.test(path);
  const name = hasOwnRight ? right : path.slice(1).replaceAll('/', '.').replaceAll(/[{}]/g, '');
  if (method === 'PATCH' && endpoints.PUT && right.endsWith(UPDATE)) return name.replace(/\w+$/, 'patch');
  const others = right.endsWith(UPDATE) ? { ...endpoints, PATCH: undefined } : endpoints;
  const sharing = Object.values(others).filter((each) => each?.metadata.right === right);
  return sharing.length > 1 ? `${name}.${VERBS[method]}` : name;
}

const RULES: Readonly<Record<string, string>> = nouns;

/** Returns the rules of a noun, by its operations or by `nouns.json`; a test rejects an empty text. */
export function rulesOf(noun: string, operations: readonly OperationObject[]): string {
  const [own] = operations.flatMap(({ metadata }) => metadata.about ?? []);
  return own ?? RULES[noun] ?? '';
}
