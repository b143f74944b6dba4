import { createHmac } from 'node:crypto';
import type { Chance } from '#bench/kit/random.ts';
import { jsonSchemaOf } from '#infra/reference/schemas.ts';
import type { Schema } from '#infra/reference/words/fields.ts';
import type { Route } from '#infra/routes.ts';
import type { Metadata } from '#lib/http/definition/definition.ts';
import { givesFile } from '#lib/http/wire/answer.ts';
import type { Callers } from './callers.ts';
import type { FuzzFile } from './files.ts';
import { type FuzzDraw, valueFor, wildText } from './values.ts';

/** An operation, with its schemas as JSON Schema. */
export interface FuzzTarget {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly metadata: Metadata;
  readonly query: Schema;
  readonly body: Schema | undefined;
  /** True for images and workbooks, which may take longer. */
  readonly isHeavy: boolean;
}

/** A request as it goes over the wire. */
export interface FuzzRequest {
  readonly target: FuzzTarget;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

const EMPTY: Schema = {};

/** How wild requests are: some keep all rules, most break one or two, a few are nonsense. */
const WILDNESS = [0, 0, 0.03, 0.03, 0.1, 0.1, 0.4];

/** Lists all operations. */
export function fuzzTargetsOf(routes: readonly Route[]): FuzzTarget[] {
  return routes.flatMap(({ path, endpoints }) =>
    Object.entries(endpoints).map(([method, { metadata }]) => ({
      name: `${method} ${path}`,
      method,
      path,
      metadata,
      query: metadata.query ? jsonSchemaOf(metadata.query, 'input') : EMPTY,
      body: metadata.body && jsonSchemaOf(metadata.body, 'input'),
      isHeavy: metadata.accepts === 'multipart' || givesFile(metadata.answers),
    })),
  );
}

/** Makes a request to an operation. */
export async function requestTo(
  target: FuzzTarget,
  scene: Callers,
  files: readonly FuzzFile[],
  chance: Chance,
): Promise<FuzzRequest> {
  const draw: FuzzDraw = { chance, wildness: chance.oneOf(WILDNESS) };
  const isOverridden = target.method !== 'GET' && target.method !== 'POST' && chance.next() < 0.2;
  const query = queryOf(target, draw);
  const all = isOverridden ? [`_method=${target.method}`, query].filter(Boolean).join('&') : query;
  const path = `${pathOf(target, draw)}${all && `?${all}`}`;
  const sent = await bodyOf(target, files, draw);
  const headers = { ...callerOf(target, scene, draw), ...extraHeaders(target, draw), ...sent.headers };
  return {
    target,
    method: isOverridden ? 'POST' : target.method,
    path,
    headers: { ...headers, ...signatureOf(target, sent.body) },
    body: sent.body,
  };
}

function pathOf({ path }: FuzzTarget, draw: FuzzDraw): string {
  const { chance, wildness } = draw;
  return path.replace(/\{(\w+)\}/g, (_, name) => {
    if (chance.next() < wildness)
      return encodeURIComponent(wildText(draw).toWellFormed()).slice(0, 2000) || '0';
    if (name === 'type')
      return chance.oneOf(['stock', 'product', 'client', 'region', 'user', 'company', 'role']);
    return name === 'externalId' ? 'x' : String(chance.between(1, 5));
  });
}

function queryOf({ query }: FuzzTarget, draw: FuzzDraw): string {
  const { chance, wildness } = draw;
  const value = query === EMPTY ? {} : valueFor(query, '', { chance, wildness: wildness / 2 });
  const pairs = flattened('', value);
  if (chance.next() < wildness) pairs.push([wildText(draw).slice(0, 500), wildText(draw).slice(0, 5000)]);
  const text = pairs
    .map(([name, each]) => `${encoded(name)}=${encoded(each)}`)
    .join('&')
    .slice(0, 7000);
  return chance.next() < wildness / 4 ? `${text}&%&filter[=%ff&&=&a[b][c][d][e][f][g]=1` : text;
}

/** Spells a value with brackets in names, as forms and query strings do. */
function flattened(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      typeof item === 'object' && item !== null
        ? flattened(`${name}[${index}]`, item)
        : flattened(`${name}[]`, item),
    );
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, each]) =>
      flattened(name === '' ? key : `${name}[${key}]`, each),
    );
  }
  return name === '' || value === undefined ? [] : [[name, value === null ? '' : String(value)]];
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('%5B', '[').replaceAll('%5D', ']');
}

function callerOf(
  { metadata: { right }, path }: FuzzTarget,
  { tokens, system }: Callers,
  { chance, wildness }: FuzzDraw,
) {
  if (right === 'external') return chance.next() < 0.9 ? system : {};
  if (chance.next() < wildness / 8) return chance.oneOf([{}, { authorization: 'Bearer a.b.c' }]);
  const [area = ''] = path.split('/').filter(Boolean);
  const own = area === 'admin' ? tokens.admin : area === 'partner' ? tokens.partner : tokens.company;
  const other = chance.oneOf(Object.values(tokens));
  return { authorization: `Bearer ${chance.next() < 0.9 ? own : other}` };
}

function extraHeaders(
  { method, metadata }: FuzzTarget,
  { chance, wildness }: FuzzDraw,
): Record<string, string> {
  const wild = () => headerText(wildText({ chance }).slice(0, 3000));
  const isWild = () => chance.next() < wildness / 2;
  return {
    'accept-language': isWild() ? chance.oneOf([wild(), `a${' '.repeat(3000)}b`, ';;q=,=']) : 'uz',
    ...(metadata.idempotent &&
      chance.next() < 0.3 && { 'idempotency-key': isWild() ? wild() : `k${chance.between(1, 50)}` }),
    ...(method !== 'GET' && chance.next() < 0.1 && { 'if-match': isWild() ? wild() : '"1"' }),
    ...(isWild() && {
      [chance.oneOf(['x-forwarded-for', 'x-forwarded-proto', 'cookie', 'accept', 'range'])]: wild(),
    }),
  };
}

/** Leaves out what Node's client can't send: line breaks, and signs beyond one byte. */
function headerText(text: string): string {
  return text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?').trim() || 'x';
}

interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

async function bodyOf(
  { method, metadata, body }: FuzzTarget,
  files: readonly FuzzFile[],
  draw: FuzzDraw,
): Promise<Sent> {
  const { chance, wildness } = draw;
  if (method === 'GET' || (!body && chance.next() > 0.1)) return { headers: {}, body: undefined };
  if (chance.next() < wildness / 6) return brokenBody(chance);
  const value = valueFor(body ?? EMPTY, '', draw);
  const isForm = metadata.accepts === 'multipart' ? chance.next() < 0.9 : chance.next() < 0.1;
  if (isForm) return formOf(body ?? EMPTY, value, files, chance);
  return { headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(value) ?? '') };
}

function brokenBody(chance: Chance): Sent {
  const [type, body] = chance.oneOf([
    ['application/json', '{"a":'],
    ['application/json', '['.repeat(100_000)],
    ['application/json', `{"__proto__":{"a":1},"constructor":{}}`],
    ['application/json', '"text"'],
    ['application/json', 'null'],
    ['application/json', '\u0000\u0000'],
    ['application/json', `[${'{},'.repeat(20_000)}{}]`],
    ['text/plain', 'x'],
    ['multipart/form-data', 'no boundary'],
    ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="a'],
    ['application/x-www-form-urlencoded', 'a=1&b[]=2'],
    ['application/json; charset=utf-16', '{"name":1}'],
  ] as const);
  const bytes =
    chance.next() < 0.2 ? Buffer.concat([Buffer.from(body), Buffer.from([0xff, 0xfe])]) : Buffer.from(body);
  return { headers: { 'content-type': type }, body: bytes };
}

async function formOf(
  schema: Schema,
  value: unknown,
  files: readonly FuzzFile[],
  chance: Chance,
): Promise<Sent> {
  const form = new FormData();
  for (const [name, text] of flattened('', value)) form.append(name.toWellFormed(), text.toWellFormed());
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const isFile = JSON.stringify(field).includes('binary');
    if (!isFile || chance.next() < 0.1) continue;
    const isList = typeof field === 'object' && field.type === 'array';
    const count = isList ? chance.between(1, 3) : 1;
    form.delete(name);
    for (let each = 0; each < count; each++) {
      const file = chance.oneOf(files);
      form.append(isList ? `${name}[]` : name, new Blob([file.content]), file.name);
    }
  }
  const response = new Response(form);
  const type = response.headers.get('content-type') ?? '';
  return { headers: { 'content-type': type }, body: Buffer.from(await response.arrayBuffer()) };
}

/** Signs what only the payment gateway may send. */
function signatureOf({ path }: FuzzTarget, body: Buffer | undefined): Record<string, string> {
  if (!path.startsWith('/external/billing/')) return {};
  const secret = process.env['GATEWAY_SECRET'] ?? '';
  return {
    'x-signature': createHmac('sha256', secret)
      .update(body ?? '')
      .digest('hex'),
  };
}
