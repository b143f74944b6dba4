import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type RequestContent, sendTo } from '#bin/cli/person.ts';
import { parseJson } from '#lib/values/fields.ts';
import type { RecordedTestCall } from './call-recorder.ts';

/** Request and response of a call, as `npm run examples` reads it. */
export interface RecordedCall {
  readonly request: string;
  readonly sent: unknown;
  readonly status: number;
  readonly got: unknown;
  /** The media type of the answer. */
  readonly type: string | undefined;
  /** Its status with `If-Match` of a version that never was; undefined if that wasn't tried. */
  readonly stale: number | undefined;
  /**
   * True if the reference shows this call: it was made with the demo's data, and its ids stay as they are.
   */
  readonly isShown?: boolean;
}

/** Folder for recorded calls; undefined unless `npm run examples` runs the tests. */
const folder = process.env['EXAMPLES_INTO'];

/** Records a call, for the examples of the reference. */
export function record(call: RecordedCall): void {
  if (folder !== undefined) appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(call)}\n`);
}

/** Records a call that a test made. */
export function recordNoted({ request, sent, reply, stale }: RecordedTestCall): void {
  record({
    request,
    sent: sent.form ? fieldsOfForm(sent.form) : (sent.json ?? parseJson(sent.text ?? '')),
    status: reply.status,
    got: reply.body,
    type: mediaTypeOf(reply.headers),
    stale,
  });
}

/**
 * Tries a call with `If-Match` of a version that never existed, if it changes one record: the reference
 * documents which operations are 412 then. It is tried before the call, which may delete the record, and only
 * for `npm run examples`.
 */
export async function tryStale(request: string, sent: RequestContent): Promise<number | undefined> {
  const { headers = {} } = sent;
  const isPlain = !('if-match' in headers || 'idempotency-key' in headers);
  if (folder === undefined || !isPlain || !/^(PUT|PATCH|DELETE) .*\/\d+/.test(request)) return undefined;
  const stale = { ...sent, headers: { ...headers, 'if-match': '"999999"' } };
  return (await sendTo(inject('address'), request, stale)).status;
}

/** Records a response with a file, by its media type. */
export function recordFile(path: string, { status, headers }: Response): void {
  const type = mediaTypeOf(headers);
  record({ request: `GET ${path}`, sent: undefined, status, got: undefined, type, stale: undefined });
}

/** Reads the media type of an answer. */
export function mediaTypeOf(headers: Headers): string | undefined {
  return headers.get('content-type')?.replace(/;.*/, '');
}

/** Flags as forms spell them; the reference describes a form by the types of its fields. */
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** Lists the fields of a form; a file is represented by its name. */
function fieldsOfForm(form: FormData): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of form) {
    const text = typeof value === 'string' ? (FLAGS.get(value) ?? value) : value.name;
    fields[name] = name.endsWith('[]') ? [fields[name] ?? [], text].flat() : text;
  }
  return fields;
}
