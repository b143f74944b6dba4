import * as options from '#lib/catalog/option.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'company.product.option.show',
  query: options.Embeds,
  response: options.Option,
  run: ({ actor, id, query }) => options.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'company.product.option.update',
  body: options.OptionInput,
  response: options.Option,
  run: ({ actor, id, body, at }) => options.edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'company.product.option.destroy',
  run: ({ actor, id, at }) => options.remove(actor, id, at),
});
