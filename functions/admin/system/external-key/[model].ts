import { endpoint } from '#lib/http/endpoint.ts';
import { remove } from '#lib/platform/external-key.ts';

export const DELETE = endpoint({
  right: 'admin.system.external-key.destroy',
  note: "Permanent: the key can't be restored. Its record is kept for logs.",
  run: ({ actor, id, at }) => remove(actor, id, at),
});
