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
    'Returns a form that uploads one image directly to storage. The image is not downloadable and expires ' +
    'after a day; pass its key to `upload-image` in `keys[]`. Use this for more images than fit into a ' +
    'request: ten images of 2048 KB exceed its 6 MB.',
  run: ({ actor, body, at }) => forms.imageForm(actor, body, at),
});
