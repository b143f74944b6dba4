import type { ErrorCode, MessageDescriptor } from '#lib/values/message.ts';

/** Dotted field paths with their problems: `products.0.quantity`. */
export type FieldErrors = Readonly<Record<string, MessageDescriptor>>;

/** An answer for the caller instead of a result. If one is thrown, nothing has been changed. */
export class ApiError extends Error {
  readonly status: number;
  readonly phrase: MessageDescriptor;
  readonly fields: FieldErrors;
  /** When to try again, in seconds; undefined if trying again is no use. */
  readonly retryAfter: number | undefined;

  constructor(status: number, phrase: MessageDescriptor, fields: FieldErrors = {}, retryAfter?: number) {
    super(phrase.key);
    this.status = status;
    this.phrase = phrase;
    this.fields = fields;
    this.retryAfter = retryAfter;
  }
}

/** Records that have names which others wanted, by the field that each name came in. */
export type NameOwners = Readonly<Record<string, { readonly id: number; readonly is_deleted: boolean }>>;

/** A 422 on taken names, with the records that have them. */
export class NameConflict extends ApiError {
  readonly holders: NameOwners;

  constructor(fields: FieldErrors, holders: NameOwners) {
    super(422, Object.values(fields)[0] ?? { key: 'validation.taken' }, fields);
    this.holders = holders;
  }
}

/** A refusal of a sale that is kept, so that it can be sold later, or was dismissed. Part 4, 4.4, 5. */
export class StoredSaleError extends ApiError {
  readonly refusedId: number;

  constructor({ status, phrase, fields }: ApiError, refusedId: number) {
    super(status, phrase, fields);
    this.refusedId = refusedId;
  }
}

/** What a till's number of a sale has become: a sale, or a refused one that is kept. */
export type KeyHolder = { readonly sale_id: number } | { readonly refused_id: number };

/** A 409 on a till's number of a sale, with what has it. Part 4, 4.4, 1; Contract 9.101. */
export class KeyReused extends ApiError {
  readonly holder: KeyHolder;

  constructor(holder: KeyHolder) {
    super(409, { key: 'sale.key_reused' });
    this.holder = holder;
  }

  /** Gives the ids that its answer tells: one, and null for the other. */
  get ids() {
    return { sale_id: null, refused_id: null, ...this.holder };
  }
}

/** Makes a 400: a business rule forbids the operation. Part 1, "Errors". */
export function badRequest(key: ErrorCode, values?: MessageDescriptor['with']): ApiError {
  return new ApiError(400, phrase(key, values));
}

/** Makes a 401: no valid token. */
export function signInRequired(): ApiError {
  return new ApiError(401, { key: 'auth.unauthenticated' });
}

/** Makes a 403: the caller may not do this. */
export function forbidden(key: ErrorCode = 'auth.forbidden'): ApiError {
  return new ApiError(403, { key });
}

/** Makes a 404: no such record, or none of the caller's tenant. */
export function notFound(): ApiError {
  return new ApiError(404, { key: 'http.not_found' });
}

/** Makes a 422: the named fields are wrong; the message is the first of theirs. Part 1, "Errors". */
export function invalid(fields: Readonly<Record<string, ErrorCode | MessageDescriptor>>): ApiError {
  const phrases = Object.fromEntries(
    Object.entries(fields).map(([path, what]) => [path, typeof what === 'string' ? phrase(what) : what]),
  );
  return new ApiError(422, Object.values(phrases)[0] ?? { key: 'validation.invalid' }, phrases);
}

/** Makes a 429: too often; `seconds` until it may be tried again. */
export function tooManyRequests(seconds: number): ApiError {
  return new ApiError(429, phrase('http.too_many_requests', { seconds }), {}, seconds);
}

/** Makes a 503: busy for the moment. */
export function serviceUnavailable(): ApiError {
  return new ApiError(503, { key: 'http.unavailable' }, {}, 1);
}

function phrase(key: ErrorCode, values?: MessageDescriptor['with']): MessageDescriptor {
  return values ? { key, with: values } : { key };
}
