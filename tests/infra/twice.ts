import { discoverRoutes, METHODS, type Method, type Route } from '#infra/routes.ts';
import type { Endpoint } from '#lib/http/endpoint.ts';
import { CONTRACT } from '#tests/kit/contract.ts';

/**
 * Makes the routes of the whole contract, twice: what is served, what is to come later, and all of it again
 * under other names. Nothing of it is bundled: `fileOf` says whose bundle a made-up route has.
 */
export async function twiceTheContract() {
  const served = await discoverRoutes();
  const whole = [...served, ...laterRoutes(served)];
  const routes = [...whole, ...whole.map(again)];
  const [any] = served;
  const files = new Set(served.map(({ file }) => file));
  const fileOf = (file: string) =>
    (files.has(file) ? file : files.has(original(file)) ? original(file) : any?.file) ?? '';
  return { routes, fileOf };
}

/** Makes routes of operations that nothing serves yet, as costly as a sale. */
function laterRoutes(served: readonly Route[]): Route[] {
  const sale = served.find(({ path }) => path === '/company/trade/sale')?.endpoints;
  if (!sale?.GET || !sale.POST) throw new Error('There are no sales');
  const { GET, POST } = sale;
  const known = new Set(served.map(({ path }) => path));
  const later = CONTRACT.filter(({ isLater }) => isLater).map(({ request }) => request.split(' '));
  const byPath = Map.groupBy(later, ([, path = '']) => path);
  return [...byPath]
    .filter(([path]) => !known.has(path))
    .map(([path, requests]) => {
      const methods = METHODS.filter((method) => requests.some(([each]) => each === method));
      const endpoints: Partial<Record<Method, Endpoint>> = {};
      for (const method of methods) endpoints[method] = method === 'GET' ? GET : POST;
      const hasMethodOverride = methods.some((method) => method !== 'GET' && method !== 'POST');
      return { file: `${path.slice(1)}.ts`, path, endpoints, hasMethodOverride };
    });
}

const AGAIN = '-again';

function again({ file, path, ...route }: Route): Route {
  const [start = '', area = '', noun = '', ...rest] = path.slice(1).split('/');
  const isDeep = noun !== '' && !noun.startsWith('{');
  const words = isDeep
    ? [start, area, `${noun}${AGAIN}`, ...rest]
    : [start, `${area}${AGAIN}`, noun, ...rest];
  return { ...route, path: `/${words.filter(Boolean).join('/')}`, file: `${AGAIN}/${file}` };
}

function original(file: string): string {
  return file.replace(`${AGAIN}/`, '');
}
