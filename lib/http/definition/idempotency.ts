import { createHmac } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import { jsonResponse, type LambdaResponse } from '#lib/http/wire/response.ts';
import { put, type Write } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import { absent, any, lessThan } from '#lib/table/expression.ts';
import type { Key } from '#lib/table/keys.ts';
import { getItem, getSettled } from '#lib/table/read/get.ts';
import { ApiError, invalid } from '#lib/values/api-error.ts';
import { requireEnv } from '#lib/values/env.ts';

/**
 * Builds the write of an operation's response, for retries; it belongs in the transaction of the change.
 * Empty without a key.
 */
export type SaveResponse = (answer: unknown) => Write[];

/** The response to an earlier call, found by the operation itself; it is marked as replayed. */
export class ReplayedResponse<T> {
  readonly answer: T;

  constructor(answer: T) {
    this.answer = answer;
  }
}

/** Marks a response as replayed. */
export function markReplayed(answer: LambdaResponse): LambdaResponse {
  answer.headers['idempotent-replayed'] = 'true';
  return answer;
}

/** Maximum size of a saved response: the item size limit less the other attributes. */
const MAX_BYTES = 370_000;

const WithId = z.object({ id: z.int() });

/** Responses with one document, or a list of them. */
const WithDocuments = z.union([
  WithId.transform(({ id }) => [id]),
  z.object({ data: z.array(WithId) }).transform(({ data }) => data.map(({ id }) => id)),
]);

/**
 * A saved response: its exact text, so that it is replayed byte for byte, or only the ids of its documents,
 * if it is too large.
 */
const StoredResponse = z.union([z.object({ text: z.string() }), z.object({ documents: z.array(z.int()) })]);

export type SavedResponse = z.output<typeof StoredResponse>;

/** A call with an `Idempotency-Key`, which may be a retry. */
export interface IdempotentCall {
  readonly saveResponse: SaveResponse;
  /** The last saved response, and its text. */
  lastSaved?: { readonly answer: unknown; readonly text: string };
  /** Reads the response to the first call; undefined if this is the first. 409 if that had another body. */
  recall(): Promise<SavedResponse | undefined>;
  /**
   * Reads it once no transaction is in progress on it: for a call that has failed, possibly because of the
   * first call's changes. Two read units for each 4 KB of the response, only then.
   */
  recallSettled(): Promise<SavedResponse | undefined>;
}

const RETENTION_S = 86_400;

const StoredItem = z.object({ request: z.string(), expires_at: z.number() }).and(StoredResponse);

/**
 * Returns the idempotent call of a user's request; undefined without a key. `textOf` renders the saved text.
 * Contract 1, "Idempotency-Key". 422 for an invalid key.
 */
export function idempotentCallOf(
  event: APIGatewayProxyEventV2,
  user: number,
  textOf: (answer: unknown) => string,
): IdempotentCall | undefined {
  const name = event.headers['idempotency-key'];
  if (name === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(name)) throw invalid({ 'Idempotency-Key': 'validation.wrong_format' });
  const key: Key = { pk: `idempotency#user-${user}`, sk: name };
  const request = fingerprint(event);
  const now = Math.floor(event.requestContext.timeEpoch / 1000);
  const isNew = {
    // The table's TTL may remove expired items late.
    if: any([absent('pk'), lessThan('expires_at', now)]),
    otherwise: new ApiError(409, { key: 'idempotency.still_running' }),
  };
  const responseIn = (item: Item | undefined) => {
    const saved = StoredItem.safeParse(item).data;
    if (!saved || saved.expires_at < now) return undefined;
    if (saved.request !== request) throw new ApiError(409, { key: 'idempotency.key_reused' });
    return saved;
  };
  const call: IdempotentCall = {
    saveResponse: (answer) => {
      const text = textOf(answer);
      call.lastSaved = { answer, text };
      return [put(key, { request, ...toSave(answer, text), expires_at: now + RETENTION_S }, isNew)];
    },
    recall: async () => responseIn(await getItem(key)),
    recallSettled: async () => {
      const [item] = await getSettled([key]);
      return responseIn(item);
    },
  };
  return call;
}

/**
 * Returns the part of a response to save. If it is too large, that is the ids of its documents, which the
 * operation's `reread` then reads again. Contract 1, "Idempotency-Key".
 */
function toSave(answer: unknown, text: string): SavedResponse {
  const documents = WithDocuments.safeParse(answer).data;
  return documents && Buffer.byteLength(text) > MAX_BYTES ? { documents } : { text };
}

/** Runs an operation, or reads the documents of its saved response again. */
interface Work {
  readonly run: (saveResponse: SaveResponse) => Promise<LambdaResponse>;
  readonly reread: (documents: readonly number[]) => Promise<LambdaResponse>;
}

/**
 * Runs an operation unless its response is saved. A retry sent during the first call may fail after that has
 * ended, or while its change is visible and its response is not yet: it gets the saved response too.
 */
export async function runOnce(
  call: IdempotentCall | undefined,
  saved: SavedResponse | undefined,
  { run, reread }: Work,
): Promise<LambdaResponse> {
  const replay = async (response: SavedResponse) => {
    const isWhole = 'text' in response;
    return markReplayed(isWhole ? jsonResponse(response.text, 200) : await reread(response.documents));
  };
  if (saved) return replay(saved);
  try {
    return await run(call?.saveResponse ?? (() => []));
  } catch (error) {
    const settled = await call?.recallSettled();
    if (!settled) throw error;
    return replay(settled);
  }
}

/**
 * Computes the fingerprint of a call, compared when its key is reused. It is an HMAC with a secret: a body
 * may contain a card number, which a reader of the table could otherwise find by brute force. Contract 6.
 */
function fingerprint({ requestContext, rawPath, rawQueryString, body = '' }: APIGatewayProxyEventV2): string {
  const { method } = requestContext.http;
  return createHmac('sha256', requireEnv('TOKEN_SECRET'))
    .update(`${method} ${rawPath}?${rawQueryString}\n${body}`)
    .digest('base64url');
}
