import type { ErrorCode, MessageDescriptor } from '#lib/values/message.ts';

/** Errors by dotted field paths, e.g. `products.0.quantity`. */
export type FieldErrors = Readonly<Record<string, MessageDescriptor>>;

/** An error response for the caller. Thrown before any change, so nothing has been changed. */
export class ApiError extends Error {
  readonly status: number;
  readonly phrase: MessageDescriptor;
  readonly fields: FieldErrors;
  /** Delay in seconds before a retry; undefined if a retry is no use. */
  readonly retryAfter: number | undefined;

  constructor(status: number, phrase: MessageDescriptor, fields: FieldErrors = {}, retryAfter?: number) {
    super(phrase.key);
    this.status = status;
    this.phrase = phrase;
    this.fields = fields;
    this.retryAfter = retryAfter;
  }
}

/** Records that hold requested names, by the field of each name. */
export type NameOwners = Readonly<Record<string, { readonly id: number; readonly is_deleted: boolean }>>;

/** A 422 on taken names, with the records that hold them. */
export class NameConflict extends ApiError {
  readonly holders: NameOwners;

  constructor(fields: FieldErrors, holders: NameOwners) {
    super(422, Object.values(fields)[0] ?? { key: 'validation.taken' }, fields);
    this.holders = holders;
  }
}

/**
 * A rejection of an offline sale that is stored as a refused sale, to be retried later, or was dismissed.
 * Part 4, 4.4, 5.
 */
export class StoredSaleError extends ApiError {
  readonly refusedId: number;

  constructor({ status, phrase, fields }: ApiError, refusedId: number) {
    super(status, phrase, fields);
    this.refusedId = refusedId;
  }
}

/** The outcome of a till's sale number: a sale, or a stored refused sale. */
export type KeyHolder = { readonly sale_id: number } | { readonly refused_id: number };

/** A 409 on a till's sale number that is taken, with its holder. Part 4, 4.4, 1; Contract 9.101. */
export class KeyReused extends ApiError {
  readonly holder: KeyHolder;

  constructor(holder: KeyHolder) {
    super(409, { key: 'sale.key_reused' });
    this.holder = holder;
  }

  /** The ids in the response: one of the holder, null for the other. */
  get ids() {
    return { sale_id: null, refused_id: null, ...this.holder };
  }
}

/** Returns a 400: a business rule forbids the operation. Part 1, "Errors". */
export function badRequest(key: ErrorCode, values?: MessageDescriptor['with']): ApiError {
  return new ApiError(400, phrase(key, values));
}

/** Returns a 401: no valid token. */
export function signInRequired(): ApiError {
  return new ApiError(401, { key: 'auth.unauthenticated' });
}

/** A 403, with the right that the caller lacks; null if another right would not help. Part 5, 5B.2, 3. */
export class Forbidden extends ApiError {
  readonly right: string | null;

  constructor(key: ErrorCode, right: string | null) {
    super(403, { key });
    this.right = right;
  }
}

/** Returns a 403: the caller may not do this, whatever their rights. */
export function forbidden(key: ErrorCode = 'auth.forbidden'): ApiError {
  return new Forbidden(key, null);
}

/** Returns a 403: the caller lacks a right. */
export function rightRequired(right: string): ApiError {
  return new Forbidden('auth.forbidden', right);
}

/** Returns a 404: no such record, or it belongs to another tenant. */
export function notFound(): ApiError {
  return new ApiError(404, { key: 'http.not_found' });
}

/** Returns a 422: the given fields are invalid; the message is that of the first. Part 1, "Errors". */
export function invalid(fields: Readonly<Record<string, ErrorCode | MessageDescriptor>>): ApiError {
  const phrases = Object.fromEntries(
    Object.entries(fields).map(([path, error]) => [path, typeof error === 'string' ? phrase(error) : error]),
  );
  return new ApiError(422, Object.values(phrases)[0] ?? { key: 'validation.invalid' }, phrases);
}

/** Returns a 429: rate limit exceeded; `seconds` until a retry is allowed. */
export function tooManyRequests(seconds: number): ApiError {
  return new ApiError(429, phrase('http.too_many_requests', { seconds }), {}, seconds);
}

/** Returns a 503: temporarily unavailable. */
export function serviceUnavailable(): ApiError {
  return new ApiError(503, { key: 'http.unavailable' }, {}, 1);
}

function phrase(key: ErrorCode, values?: MessageDescriptor['with']): MessageDescriptor {
  return values ? { key, with: values } : { key };
}
