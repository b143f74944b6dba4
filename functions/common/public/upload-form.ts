import { UPLOADS } from '#lib/auth/rate-limit.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import * as forms from '#lib/uploads/image-form.ts';

export const POST = endpoint({
  right: 'signed-in',
  limit: UPLOADS,
  body: forms.ImageFormInput,
  response: forms.ImageForm,
  uses: ['incoming:write'],
  note:
    'Gives a form that sends one image to the bucket itself, where nobody can fetch it and where it is ' +
    'gone after a day. `upload-image` takes such images by `keys[]`. Ten images of 2048 KB are more than ' +
    'a call may carry (6 MB).',
  run: ({ actor, body, at }) => forms.imageForm(actor, body, at),
});
