import * as options from '#lib/catalog/option.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const DELETE = endpoint({
  right: 'company.product.option.restore',
  run: ({ actor, id, at }) => options.restore(actor, id, at),
});
