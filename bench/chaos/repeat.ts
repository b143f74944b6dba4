import { isDeepStrictEqual } from 'node:util';
import { replyOf, sendTo } from '#bin/cli/person.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';
import { credentialsOf } from './operation.ts';
import { headersOf, type RunHistory, type StepOutcome } from './perform.ts';

/** Number of concurrent calls. */
const AT_ONCE = 8;

/**
 * Repeats every acknowledged call that had an `Idempotency-Key`, at a process without faults: each must
 * return its first response. Returns their number, and the differing responses.
 */
export async function repeatAll(address: string, { outcomes }: RunHistory) {
  const kept = outcomes.filter(({ hasKey, outcome }) => hasKey && outcome === 'done');
  const wrong = await mapConcurrent(kept, AT_ONCE, (each) => sendAgain(address, each));
  return { count: kept.length, wrong: wrong.flat() };
}

async function sendAgain(address: string, { operation, answer }: StepOutcome): Promise<string[]> {
  const { request, json, name } = operation;
  const sent = credentialsOf(operation, headersOf(operation, true));
  const again = await replyOf(await sendTo(address, request, { ...sent, json }));
  const isReplayed = again.headers.get('idempotent-replayed') === 'true';
  const isSame = again.status === answer?.status && isDeepStrictEqual(again.body, answer.body);
  if (isReplayed && isSame) return [];
  const [was, is] = [answer, again].map((each) => `${each?.status} ${JSON.stringify(each?.body)}`);
  return [`${name}, ${request}: ${was}, and then ${isReplayed ? '' : 'as a new call '}${is}`];
}
