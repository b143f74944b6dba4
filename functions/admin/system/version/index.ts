import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import * as versions from '#lib/platform/version.ts';

export const GET = listing({
  right: 'admin.system.version.index',
  query: versions.VersionList,
  rows: versions.Version,
  run: ({ actor, query }) => versions.list(actor, query),
});

export const POST = endpoint({
  right: 'admin.system.version.store',
  body: versions.VersionInput,
  response: versions.Version,
  run: ({ actor, body, at }) => versions.create(actor, body, at),
});
