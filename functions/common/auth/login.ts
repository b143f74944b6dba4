import { endpoint } from '#lib/http/endpoint.ts';
import { Credentials, FAILURES_BY_NAME, login, Token } from '#lib/people/session.ts';

export const POST = endpoint({
  right: 'anyone',
  limit: FAILURES_BY_NAME,
  body: Credentials,
  answers: Token,
  note: '429 after five failures in a minute, for the name or for the address.',
  run: ({ body, ip, at }) => login(body, ip, at),
});
