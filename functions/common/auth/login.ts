import { endpoint } from '#lib/http/endpoint.ts';
import { Credentials, FAILURES_FROM_ADDRESS, login, Token } from '#lib/people/user/session.ts';

export const POST = endpoint({
  right: 'anyone',
  limit: FAILURES_FROM_ADDRESS,
  body: Credentials,
  response: Token,
  note:
    '429 after five failures within a minute for a username from the same IP address, or fifty for either ' +
    'alone.',
  run: ({ body, ip, at }) => login(body, ip, at),
});
