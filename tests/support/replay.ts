import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { sendTo } from '#bin/cli/person.ts';
import type { RecordedTestCall } from './call-recorder.ts';
import { takesKey } from './moving.ts';

/** Keys that test support gave to calls. */
const given = new Set<string>();

/** Operations whose idempotency was checked in this process. */
const repeated = new Set<string>();

/**
 * Returns the key for a call that could be repeated under one; none if the test gives its own, or if the
 * operation was repeated in this process.
 */
export function keyFor(request: string, headers: Readonly<Record<string, string>> = {}) {
  const isKeyed = new Headers(headers).has('idempotency-key');
  if (isKeyed || !takesKey(request) || repeated.has(operationOf(request))) return undefined;
  const key = randomUUID();
  given.add(key);
  return { 'idempotency-key': key };
}

/**
 * Repeats a call made under a key of test support, if it is the first of its operation in this process.
 * Throws unless the response is the first one, byte for byte, and marked as replayed. So every operation is
 * tested to replay the very same bytes.
 */
export async function requireReplay({ request, sent, reply, text }: RecordedTestCall): Promise<void> {
  const operation = operationOf(request);
  const isOurs = given.has(sent.headers['idempotency-key'] ?? '');
  if (!isOurs || reply.status !== 200 || repeated.has(operation)) return;
  const again = await sendTo(inject('address'), request, sent);
  const textAgain = await again.text();
  repeated.add(operation);
  if (textAgain === text && again.headers.get('idempotent-replayed') === 'true') return;
  throw new Error(`${request} is answered by ${text}, and repeated by ${again.status} ${textAgain}`);
}

function operationOf(request: string): string {
  return request.replaceAll(/\d+/g, '{model}');
}
