import { endpoint } from '#lib/http/endpoint.ts';
import { remove } from '#lib/platform/external-key.ts';

export const DELETE = endpoint({
  right: 'admin.system.external-key.destroy',
  note: 'For good: the record stays for the names in logs, and nothing restores it.',
  run: ({ actor, id, at }) => remove(actor, id, at),
});
