import { endpoint } from '#lib/http/endpoint.ts';
import { Enumerations, enumerations } from '#lib/values/labels/enumerations.ts';

export const GET = endpoint({
  right: 'signed-in',
  isRevalidated: true,
  response: Enumerations,
  note:
    'Returns the label of every value of every enumeration, in the language of the request. In the reference ' +
    'an enumeration names its list here in `x-enum`; it may have only some of the values. Messages of error ' +
    'codes have places for `params` in braces.',
  run: ({ locale }) => enumerations(locale),
});
