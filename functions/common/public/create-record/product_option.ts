import * as options from '#lib/catalog/option.ts';
import { quickCreation } from '#lib/http/quick-creation.ts';

export const POST = quickCreation({
  body: options.OptionInput,
  response: options.Option,
  note: 'Limited to three requests a minute over all types, successful or not.',
  run: ({ actor, body, at }) => options.create(actor, body, at),
});
