/** The rules for browsers. Callers prove themselves by token, never by cookie, so any origin may call. */
export const CORS = {
  allowOrigins: ['*'],
  allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  allowHeaders: ['Authorization', 'Content-Type', 'Accept', 'Accept-Language', 'Idempotency-Key', 'If-Match'],
  exposeHeaders: ['ETag', 'X-Request-Id', 'Retry-After', 'Content-Disposition', 'Idempotent-Replayed'],
  maxAgeSeconds: 86_400,
} as const;
