import type { SeededRandom } from '#bench/support/random.ts';
import { fuzzBody, gatewaySignature, spell } from './body.ts';
import type { Callers } from './callers.ts';
import type { FuzzFile } from './files.ts';
import { EMPTY, type FuzzTarget } from './target.ts';
import { type FuzzDraw, valueFor, wildText } from './values.ts';

/** A request as sent. */
export interface FuzzRequest {
  readonly target: FuzzTarget;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

/** Degrees of wildness: some requests follow all rules, most break one or two, a few are nonsense. */
const WILDNESS = [0, 0, 0.03, 0.03, 0.1, 0.1, 0.4];

/** Generates a request to an operation. */
export async function requestTo(
  target: FuzzTarget,
  scene: Callers,
  files: readonly FuzzFile[],
  chance: SeededRandom,
): Promise<FuzzRequest> {
  const draw: FuzzDraw = { chance, wildness: chance.oneOf(WILDNESS) };
  const isOverridden = target.method !== 'GET' && target.method !== 'POST' && chance.next() < 0.2;
  const query = queryOf(target, draw);
  const all = isOverridden ? [`_method=${target.method}`, query].filter(Boolean).join('&') : query;
  const path = `${pathOf(target, draw)}${all && `?${all}`}`;
  const sent = await fuzzBody(target, files, draw);
  const headers = { ...callerOf(target, scene, draw), ...extraHeaders(target, draw), ...sent.headers };
  return {
    target,
    method: isOverridden ? 'POST' : target.method,
    path,
    headers: { ...headers, ...gatewaySignature(target, sent.body) },
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
  const pairs = spell('', value);
  if (chance.next() < wildness) pairs.push([wildText(draw).slice(0, 500), wildText(draw).slice(0, 5000)]);
  const text = pairs
    .map(([name, each]) => `${encode(name)}=${encode(each)}`)
    .join('&')
    .slice(0, 7000);
  return chance.next() < wildness / 4 ? `${text}&%&filter[=%ff&&=&a[b][c][d][e][f][g]=1` : text;
}

function encode(text: string): string {
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

/** Removes characters that Node's client can't send: line breaks, and those beyond one byte. */
function headerText(text: string): string {
  return text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?').trim() || 'x';
}
