import { createHmac } from 'node:crypto';
import type { SeededRandom } from '#bench/support/random.ts';
import type { Schema } from '#infra/reference/descriptions/fields.ts';
import type { FuzzFile } from './files.ts';
import { EMPTY, type FuzzTarget } from './target.ts';
import { type FuzzDraw, valueFor } from './values.ts';

/** Encodes a value with brackets in names, as forms and query strings do. */
export function spell(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      typeof item === 'object' && item !== null ? spell(`${name}[${index}]`, item) : spell(`${name}[]`, item),
    );
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, each]) => spell(name === '' ? key : `${name}[${key}]`, each));
  }
  return name === '' || value === undefined ? [] : [[name, value === null ? '' : String(value)]];
}

interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

/** Generates the body of a request, sometimes a broken one. */
export async function fuzzBody(
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

function brokenBody(chance: SeededRandom): Sent {
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
  chance: SeededRandom,
): Promise<Sent> {
  const form = new FormData();
  for (const [name, text] of spell('', value)) form.append(name.toWellFormed(), text.toWellFormed());
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

/** Returns the signature headers of the payment gateway's requests. */
export function gatewaySignature({ path }: FuzzTarget, body: Buffer | undefined): Record<string, string> {
  if (!path.startsWith('/external/billing/')) return {};
  const secret = process.env['GATEWAY_SECRET'] ?? '';
  return {
    'x-signature': createHmac('sha256', secret)
      .update(body ?? '')
      .digest('hex'),
  };
}
