/** CORS rules of the API. Callers authenticate by token, never by cookie, so any origin may call. */
export const CORS = {
  allowOrigins: ['*'],
  allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  // Contract 9.132: headers that front ends send by themselves, Laravel's and Sentry's above all.
  allowHeaders: [
    'Authorization',
    'Content-Type',
    'Accept',
    'Accept-Language',
    'Idempotency-Key',
    'If-Match',
    'If-None-Match',
    'X-Requested-With',
    'sentry-trace',
    'baggage',
    'traceparent',
    'Cache-Control',
    'Pragma',
    'X-Socket-ID',
    'X-CSRF-TOKEN',
  ],
  exposeHeaders: [
    'ETag',
    'X-Request-Id',
    'Retry-After',
    'Content-Disposition',
    'Idempotent-Replayed',
    'Deprecation',
    'Sunset',
    'Date',
  ],
  maxAgeSeconds: 86_400,
} as const;

/** CORS rules of the bucket: browsers upload images by forms, and follow links to large files. */
export const BUCKET_CORS = {
  allowOrigins: CORS.allowOrigins,
  allowMethods: ['POST', 'GET'],
  allowHeaders: ['*'],
  exposeHeaders: ['ETag', 'Date'],
} as const;
