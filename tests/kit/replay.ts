import { takesKey } from './moving.ts';

const repeated = new Set<string>();

/**
 * Tells whether a call is the first of its operation in this test file that could be repeated under a key:
 * then it is, so that of every operation it is known that it answers twice in the very same bytes.
 */
export function isToBeRepeated(request: string, headers: Readonly<Record<string, string>> = {}): boolean {
  const operation = request.replaceAll(/\d+/g, '{model}');
  return takesKey(request) && !new Headers(headers).has('idempotency-key') && !repeated.has(operation);
}

/** Throws unless the repetition of a call that was made is its first answer, byte for byte, and marked. */
export async function requireSame(request: string, first: string, second: Response): Promise<void> {
  repeated.add(request.replaceAll(/\d+/g, '{model}'));
  const text = await second.text();
  if (text === first && second.headers.get('idempotent-replayed') === 'true') return;
  throw new Error(`${request} is answered by ${first}, and repeated by ${second.status} ${text}`);
}
