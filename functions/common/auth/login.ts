import { endpoint } from '#lib/http/endpoint.ts';
import { Credentials, login, Token } from '#lib/people/session.ts';

export const POST = endpoint({
  right: 'anyone',
  body: Credentials,
  answers: Token,
  run: ({ body, ip, at }) => login(body, ip, at),
});
