import { endpoint } from '#lib/http/endpoint.ts';
import * as forms from '#lib/system/image-form.ts';

export const POST = endpoint({
  right: 'signed-in',
  body: forms.ImageFormInput,
  answers: forms.ImageForm,
  uses: ['files:write'],
  run: ({ actor, body, at }) => forms.imageForm(actor, body, at),
});
