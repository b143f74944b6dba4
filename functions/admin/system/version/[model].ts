import { endpoint } from '#lib/http/endpoint.ts';
import * as versions from '#lib/platform/version.ts';

export const GET = endpoint({
  right: 'admin.system.version.show',
  query: versions.Embeds,
  response: versions.Version,
  run: ({ actor, id, query }) => versions.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'admin.system.version.update',
  body: versions.VersionInput,
  response: versions.Version,
  run: ({ actor, id, body, at }) => versions.edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'admin.system.version.destroy',
  run: ({ actor, id, at }) => versions.remove(actor, id, at),
});
