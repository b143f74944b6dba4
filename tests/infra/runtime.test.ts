import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';
import { listen } from '#bin/cli/listen.ts';
import { newClock } from '#bin/local/clock.ts';
import { type Data, startData } from '#bin/local/data.ts';
import { DEMO_PASSWORD, makeDemoData } from '#bin/local/demo-data.ts';
import { eventOf, pathOf } from '#bin/local/event.ts';
import { routelessAnswer } from '#bin/local/gateway.ts';
import { router } from '#bin/local/router.ts';
import { smoke } from '#bin/smoke/round.ts';
import type { Bundles } from '#infra/bundle/bundle-functions.ts';
import { NOT_FOUND_BUNDLE, REFERENCE } from '#infra/bundle/sources.ts';
import { discoverRoutes, STREAM_CONSUMER } from '#infra/routes.ts';
import { newEvent } from '#tests/support/event.ts';
import { newMessage } from '#tests/support/message.ts';
import { invoke } from './lambda.ts';
import { all, assemble, type Resource, stacksOf } from './synthesis.ts';

/* Runs every bundle under AWS's own runtime client, in a process with only its function's environment. */

const AT = newClock().now();

/** Values known only to a deployment, as set here. */
const OURS: Readonly<Record<string, string>> = {
  ADDRESS: 'https://api.example',
  ORIGIN_SECRET: 'the secret of the origin',
  ORIGIN_SECRET_BELIEVED: 'the next secret of the origin',
  TOKEN_SECRET_BELIEVED: 'the next secret of tokens, which is long enough',
};

let data: Data;
let functions: readonly Resource[];
let bundles: Bundles;

beforeAll(async () => {
  data = await startData(undefined);
  for (const [name, value] of Object.entries({ ...data.settings, ...OURS })) vi.stubEnv(name, value);
  await makeDemoData(AT);
  const { stack, bundles: made } = await assemble();
  bundles = made;
  functions = stacksOf(stack).flatMap(({ resources }) => all(resources, 'AWS::Lambda::Function'));
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await data?.stop();
});

const Answered = z.object({
  statusCode: z.int(),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.string().default(''),
  isBase64Encoded: z.boolean().default(false),
});

/** Headers added by CloudFront to every request. */
const EDGE = {
  'x-origin-secret': String(OURS['ORIGIN_SECRET']),
  'x-viewer-address': '198.51.100.10',
};

interface Sent {
  readonly token?: string;
  readonly json?: unknown;
  readonly form?: FormData;
  readonly query?: string;
  readonly path?: Readonly<Record<string, string>>;
}

/** Calls the function of a route as API Gateway would, and returns its response. */
async function call(routeKey: string, sent: Sent = {}) {
  const { status, headers, sentBack } = await answerOf(routeKey, await eventFor(routeKey, sent));
  const content = headers['content-encoding'] === 'gzip' ? gunzipSync(sentBack) : sentBack;
  const json: unknown = headers['content-type']?.includes('json')
    ? JSON.parse(content.toString())
    : undefined;
  return { status, headers, content, body: json };
}

async function answerOf(routeKey: string, event: APIGatewayProxyEventV2) {
  const found = functions.find(({ Properties }) =>
    String(Properties['Description']).split(', ').includes(routeKey),
  );
  if (!found) throw new Error(`No function serves ${routeKey}`);
  const [answer] = await invokeAs(found, fileOf(found), [event]);
  const { statusCode, headers, body, isBase64Encoded } = Answered.parse(answer);
  const sentBack = isBase64Encoded ? Buffer.from(body, 'base64') : Buffer.from(body);
  return { status: statusCode, headers, sentBack };
}

/** Serves the routes over HTTP as they are deployed: each call starts the bundle of its function. */
async function serveBundles() {
  const match = router(await discoverRoutes());
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const route = match(request.method ?? '', pathOf(request));
    if (!route) {
      const { statusCode, headers, body } = routelessAnswer(request);
      return void response.writeHead(statusCode, headers).end(body);
    }
    const event = eventOf(request, await buffer(request), route, newClock().now());
    const fromEdge = { ...event, headers: { ...event.headers, ...EDGE } };
    const { status, headers, sentBack } = await answerOf(route.key, fromEdge);
    response.writeHead(status, headers).end(sentBack);
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  return listen(server);
}

function invokeAs(found: Resource, file: string, events: readonly object[]) {
  const bundle = bundles.get(file);
  if (!bundle) throw new Error(`There is no bundle of ${file}`);
  return invoke(
    {
      directory: bundle.directory,
      handler: String(found.Properties['Handler']).replace('index.', ''),
      environment: environmentOf(found),
      timeoutMs: Number(found.Properties['Timeout']) * 1000,
    },
    events,
  );
}

/** Builds a function's environment as a deployment does: its variables and no others, with local values. */
function environmentOf({ Properties }: Resource): Record<string, string> {
  const variables: Record<string, unknown> = Properties['Environment']?.Variables ?? {};
  const filled = Object.entries(variables).map(([name, value]): [string, string] => {
    const given = typeof value === 'string' ? value : (OURS[name] ?? data.settings[name]);
    return [name, given ?? `a value of ${name}`];
  });
  const emulators = Object.entries(data.settings).filter(([name]) => name.startsWith('AWS_'));
  return Object.fromEntries([...filled, ...emulators]);
}

async function eventFor(routeKey: string, { token, json, form, query = '', path = {} }: Sent) {
  const [method = '', route = ''] = routeKey.split(' ');
  const packed = form && new Response(form);
  const headers = {
    ...EDGE,
    'accept-encoding': 'gzip',
    ...(token && { authorization: `Bearer ${token}` }),
    ...(json !== undefined && { 'content-type': 'application/json' }),
    ...(packed && { 'content-type': packed.headers.get('content-type') ?? '' }),
  };
  const body = packed ? Buffer.from(await packed.arrayBuffer()).toString('base64') : JSON.stringify(json);
  const [event] = newEvent({ method, headers });
  const context = { ...event.requestContext, routeKey, timeEpoch: newClock().now() };
  return {
    ...event,
    routeKey,
    rawPath: route.replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name] ?? '1'),
    rawQueryString: query,
    pathParameters: path,
    requestContext: context,
    isBase64Encoded: packed !== undefined,
    ...(body !== undefined && { body }),
  } satisfies APIGatewayProxyEventV2;
}

async function signIn(username: string): Promise<string> {
  const { body } = await call('POST /common/auth/login', { json: { username, password: DEMO_PASSWORD } });
  return z.object({ token: z.string() }).parse(body).token;
}

const routeFiles = new Map<string, string>();

/** Finds the bundle of a function: a template has only its hash. */
function fileOf({ Properties }: Resource): string {
  const [first = ''] = String(Properties['Description']).split(', ');
  return routeFiles.get(first) ?? fileAt(first);
}

function fileAt(routeKey: string): string {
  if (routeKey.startsWith('Works off')) return `workers/${routeKey.split(' ').at(-1)}.ts`;
  if (routeKey.startsWith('Follows')) return STREAM_CONSUMER.file;
  if (routeKey.startsWith('Answers')) return NOT_FOUND_BUNDLE;
  if (routeKey.startsWith('Serves')) return REFERENCE;
  const path = routeKey.replace(/^\w+ \//, '').replaceAll(/\{(\w+)\}/g, '[$1]');
  const found = [`${path}.ts`, `${path}/index.ts`].find((file) => bundles.has(file));
  if (!found) throw new Error(`There is no bundle for ${routeKey}`);
  routeFiles.set(routeKey, found);
  return found;
}

function isForCallers(file: string): boolean {
  return !file.startsWith('workers/') && file !== STREAM_CONSUMER.file;
}

/** Creates an event that a function takes and has little to do with. */
async function sampleFor(file: string, key: string): Promise<object> {
  if (file === STREAM_CONSUMER.file) return { Records: [] };
  if (!isForCallers(file)) return newMessage({ nothing: true })[0] ?? {};
  return eventFor(/^[A-Z]+ \//.test(key) ? key : 'GET /docs', {});
}

test('every function starts with its environment alone, and answers', async () => {
  const byBundle = new Map(functions.map((each) => [fileOf(each), each]));
  expect([...byBundle.keys()].sort()).toEqual([...bundles.keys()].sort());
  const failed: string[] = [];
  const waiting = [...byBundle];
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [file, found] = next;
      const [key = ''] = String(found.Properties['Description']).split(', ');
      const outcome = await invokeAs(found, file, [await sampleFor(file, key)]).then(
        ([answer]) => (isForCallers(file) ? Answered.parse(answer).statusCode : 200),
        (error: unknown) => String(error),
      );
      if (typeof outcome === 'string' || outcome >= 500) failed.push(`${file}: ${outcome}`);
    }
  };
  await Promise.all([work(), work(), work()]);
  expect(failed).toEqual([]);
});

describe('under the runtime client', () => {
  test('a call that went past the content network is refused', async () => {
    const found = functions.find(({ Properties }) => Properties['Description'] === 'POST /common/auth/login');
    if (!found) throw new Error('Nobody may sign in');
    const event = await eventFor('POST /common/auth/login', { json: {} });
    const past = { ...event, headers: { 'content-type': 'application/json' } };
    const [answer] = await invokeAs(found, fileOf(found), [past]);
    expect(Answered.parse(answer).statusCode).toBe(403);
  });

  test('a browser that asks whether it may call is never refused, should the gateway ask a function', async () => {
    const found = functions.find(({ Properties }) => String(Properties['Description']).startsWith('Answers'));
    if (!found) throw new Error('Nothing answers for addresses without a route');
    const asked = await Promise.all(
      ['OPTIONS /company/trade/sale', 'OPTIONS /nowhere'].map((key) => eventFor(key, {})),
    );
    const answers = await invokeAs(found, fileOf(found), asked);
    expect(answers.map((answer) => Answered.parse(answer).statusCode)).toEqual([204, 204]);
  });

  test('a cashier signs in and sells two bottles of water, and the list has the sale, compressed', async () => {
    const token = await signIn('director');
    const json = {
      cashbox_id: 3,
      stock_id: 1,
      currency: 'uzs',
      products: [{ product_id: 1, sold_quantity: 2 }],
      transactions: [{ payment_type: 'cash', amount: 8000 }],
    };
    expect(await call('POST /company/trade/sale', { token, json })).toMatchObject({
      status: 200,
      body: { sold_amount: 8000, status: 'completed' },
    });
    const list = await call('GET /company/product/product', { token });
    expect(list).toMatchObject({
      status: 200,
      headers: { 'content-encoding': 'gzip', vary: 'accept-encoding' },
    });
  });

  test('a company is founded, receives, sells and takes back goods, until its books are at zero', async () => {
    const { address, stop } = await serveBundles();
    onTestFinished(stop);
    const said: string[] = [];
    await smoke({ address, username: 'admin', password: DEMO_PASSWORD }, (line) => said.push(line));
    expect(said.at(-1)).toMatch(/^All is well/);
  });

  test('a workbook of brands is imported, as the example is laid out', async () => {
    const token = await signIn('director');
    const example = await call('GET /company/product/brand/download-example', { token });
    expect(example.status).toBe(200);
    const form = new FormData();
    form.append('file', new File([example.content], 'brands.xlsx'));
    const imported = await call('POST /company/product/brand/import', { token, form });
    expect([imported.status, imported.body]).toEqual([200, expect.anything()]);
  });

  test('an image is checked, made anew and stored', async () => {
    const token = await signIn('director');
    const { default: sharp } = await import('sharp');
    const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const form = new FormData();
    form.append('images[]', new File([picture], 'a.png', { type: 'image/png' }));
    const stored = await call('POST /common/public/upload-image', { token, form });
    expect([stored.status, JSON.stringify(stored.body)]).toEqual([
      200,
      expect.stringContaining('https://api.example/public/'),
    ]);
  });

  test('a broadcast comes to its recipients by the worker', async () => {
    const [administrator, director] = await Promise.all([signIn('admin'), signIn('director')]);
    const json = { user_query: null, type: 'announcement', text: 'Ertaga dam olamiz' };
    const sent = await call('POST /admin/user/notification', { token: administrator, json });
    expect([sent.status, sent.body]).toEqual([200, expect.anything()]);
    const sqs = new SQSClient({});
    const QueueUrl = data.queueUrls['broadcast'];
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 5 }));
    const worker = functions.find(({ Properties }) =>
      String(Properties['Description']).endsWith(' broadcast'),
    );
    if (!worker) throw new Error('There is no worker for broadcasts');
    const [event] = newMessage(JSON.parse(Messages[0]?.Body ?? ''));
    expect(await invokeAs(worker, 'workers/broadcast.ts', [event])).toEqual([{ batchItemFailures: [] }]);
    const list = await call('GET /common/user/notification', { token: director });
    expect(list.status).toBe(200);
    expect(list.content.toString()).toContain('Ertaga dam olamiz');
  });
});

test('the layer holds sharp for linux-arm64 with all that it links to, and nothing for another machine', () => {
  const modules = join(import.meta.dirname, '../../infra/layers/sharp/nodejs/node_modules');
  expect(
    readdirSync(join(modules, '@img'))
      .filter((name) => name.startsWith('sharp'))
      .sort(),
  ).toEqual(['sharp-libvips-linux-arm64', 'sharp-linux-arm64']);
  const natives = readdirSync(modules, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(node|so(\.[\d.]+)?)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  expect(natives.length).toBeGreaterThanOrEqual(2);
  for (const file of natives) {
    const head = readFileSync(file);
    // ELF, 64 bits, and the machine AArch64 (183).
    expect([head.toString('latin1', 1, 4), head[4], head.readUInt16LE(18)]).toEqual(['ELF', 2, 183]);
  }
  const Manifest = z.object({ dependencies: z.record(z.string(), z.string()) });
  const { dependencies } = Manifest.parse(
    JSON.parse(readFileSync(join(modules, 'sharp/package.json'), 'utf8')),
  );
  for (const name of Object.keys(dependencies))
    expect([name, existsSync(join(modules, name))]).toEqual([name, true]);
});
