import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { listen } from '#bin/cli/listen.ts';

test('a connection is kept longer than clients keep theirs, so a busy server hangs up on no call', async () => {
  const { address, stop } = await listen(createServer((_, response) => response.end()));
  const { headers } = await fetch(address);
  await stop();
  expect(headers.get('keep-alive')).toBe('timeout=120');
});
