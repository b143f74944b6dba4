import * as options from '#lib/catalog/option.ts';
import { sixEndpoints } from '#lib/http/six-endpoints.ts';

const { list, get, create, edit, remove, restore } = options;

export const { GET, POST, record, restored } = sixEndpoints(
  {
    right: 'company.product.option',
    about: 'Values of a specification: `red` for colour.',
    query: options.List,
    embeds: options.Embeds,
    body: options.OptionInput,
    response: options.Option,
  },
  { list, get, create, edit, remove, restore },
);
