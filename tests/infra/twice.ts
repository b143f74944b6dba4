import { discoverRoutes, type Route } from '#infra/routes.ts';

/**
 * Returns the routes of the whole contract, twice: the served ones, and the same again under other names.
 * Nothing of it is bundled: `fileOf` returns the bundle of a generated route.
 */
export async function twiceTheContract() {
  const served = await discoverRoutes();
  const routes = [...served, ...served.map(again)];
  const [any] = served;
  const files = new Set(served.map(({ file }) => file));
  const fileOf = (file: string) =>
    (files.has(file) ? file : files.has(original(file)) ? original(file) : any?.file) ?? '';
  return { routes, fileOf };
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
