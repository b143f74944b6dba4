import { PosCredentials, PosToken, posLogin } from '#lib/cash/pos.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const POST = endpoint({
  right: 'anyone',
  body: PosCredentials,
  answers: PosToken,
  run: ({ body, ip, at }) => posLogin(body, ip, at),
});
