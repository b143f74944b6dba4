import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetchToken, personOf } from '#bin/cli/person.ts';
import { newClock } from '#bin/local/clock.ts';
import { makeDemoData } from '#bin/local/demo-data.ts';
import { startService } from '#bin/local/service.ts';
import { dynamo } from '#lib/table/client.ts';
import { saleBodyOf, setUpShop } from './support/shop.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const DOMAIN = /^lib\/(people|catalog|cash|clients|stock|trade|records)\//;

const WARM_UP = 5;

/**
 * Traces the sale of one line for cash, and for comparison the simplest call that writes. Files and functions
 * are those that V8 reports as executed, frames those on the stack at the write. `TRACE=files`,
 * `TRACE=functions` and `TRACE=stack` print the details.
 */
export async function measureTraces() {
  Error.stackTraceLimit = 100;
  process.env['LOG_LEVEL'] = 'silent';
  const service = await startService(0, undefined, newClock(), makeDemoData);
  const client = personOf(service.address, await fetchToken(service.address, 'director'));
  const shop = await setUpShop(client, { products: 1, desks: 1 });
  const sale = saleBodyOf(shop, shop.desks[0] ?? 0, shop.products);
  const sell = (headers = {}) => client.call('POST /company/trade/sale', sale, headers);
  const makeWarehouse = (name: string) => client.make('/company/stock/stock', { name });
  for (let each = 0; each < WARM_UP; each++) await sell({ 'idempotency-key': `warm-${each}` });
  await makeWarehouse('Warm');
  const figures = [
    await quietest('a sale of one line', () => sell()),
    await quietest('a sale with a key', (each) => sell({ 'idempotency-key': `traced-${each}` })),
    await quietest('a warehouse made', (each) => makeWarehouse(`Traced ${each}`)),
  ];
  await service.stop();
  return figures;
}

/** Traces a call several times, and returns the trace without other work of the service. */
async function quietest(what: string, work: (each: number) => Promise<unknown>) {
  const figures: Awaited<ReturnType<typeof trace>>[] = [];
  for (let each = 0; each < WARM_UP; each++) figures.push(await trace(what, () => work(each)));
  const [least] = figures.sort((a, b) => a.functions - b.functions);
  if (!least) throw new Error('Nothing was traced');
  return least;
}

/** Traces one warm call through the project. */
async function trace(call: string, work: () => Promise<unknown>) {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const stack = await stackAtWrite(work);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const ran = result
    .map(({ url, functions }) => ({
      file: url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)) : url,
      functions: functions.filter(({ ranges }) => ranges.some(({ count }) => count > 0)),
    }))
    .filter(({ file, functions }) => /^(lib|functions)\//.test(file) && functions.length > 0);
  print('files', ran.map(({ file }) => file).sort());
  print('functions', ran.map(({ file, functions }) => `${file}: ${namesOf(functions)}`).sort());
  print('stack', stack);
  return {
    call,
    /** Executed files of `functions/` and `lib/`. */
    files: ran.length,
    /** Of those, the domain's: reading, validation and writing. */
    domain_files: ran.filter(({ file }) => DOMAIN.test(file)).length,
    /** Lines of all those files, comments and unexecuted code included. */
    lines: ran.reduce((sum, { file }) => sum + linesOf(file), 0),
    functions: ran.reduce((sum, { functions }) => sum + functions.length, 0),
    /** Functions on the stack when the transaction is sent, with those that await it. */
    frames: stack.length,
  };
}

function namesOf(functions: readonly { readonly functionName: string }[]): string {
  return functions.map(({ functionName }) => functionName || '(unnamed)').join(', ');
}

function linesOf(file: string): number {
  return readFileSync(`${ROOT}${file}`, 'utf8').split('\n').length - 1;
}

/** Lists the project's functions on the stack when the last transaction of some work is sent. */
async function stackAtWrite(work: () => Promise<unknown>): Promise<string[]> {
  let stack = '';
  dynamo.middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) => {
        if (commandName.startsWith('TransactWrite')) stack = new Error('sent').stack ?? '';
        return next(args);
      },
    { step: 'initialize', priority: 'high', name: 'trace', override: true },
  );
  await work();
  dynamo.middlewareStack.remove('trace');
  return stack.split('\n').filter((line) => /\/(lib|functions)\/[\w/-]+\.ts:/.test(line));
}

function print(what: string, lines: readonly string[]): void {
  if (process.env['TRACE'] === what) process.stdout.write(`${lines.join('\n')}\n\n`);
}
