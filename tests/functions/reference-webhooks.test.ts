import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { ROOT } from '#tests/conventions/files.ts';
import { newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { codeOn } from '#tests/support/markup.ts';
import { MAX_WAIT_MS } from '#tests/support/patience.ts';
import { addWebhook } from '#tests/support/receiver.ts';
import { make } from '#tests/support/records.ts';

test('receive webhooks: the program of the page receives a brand’s event, and reads it', async () => {
  const page = await (await fetch(`${inject('address')}/docs/webhooks`)).text();
  const program = codeOn(page, 'receiver');
  expect(program.split('\n').length).toBeLessThanOrEqual(34);
  const { director: token } = await newFamily();
  const port = await freePort();
  const { id, secret } = await addWebhook(token, `http://127.0.0.1:${port}/`);
  const lines = await start(program, { SECRET: secret, API: inject('address'), TOKEN: token, PORT: port });
  const forged = { method: 'POST', body: '{}' };
  await expect
    .poll(
      () =>
        fetch(`http://127.0.0.1:${port}/`, forged).then(
          ({ status }) => status,
          () => 0,
        ),
      {
        timeout: MAX_WAIT_MS,
      },
    )
    .toBe(401);
  const brand = await make('/company/product/brand', token, { name: 'Artel', image_old_keys: '[]' });
  await expect.poll(() => lines.join(''), { timeout: MAX_WAIT_MS }).toContain('product.brand.created 1');
  expect(lines.join('')).toContain(`"id":${brand},`);
  const told = await call(`GET /company/webhook/${id}/deliveries`, { token });
  expect(told.rows()[0]?.text('status')).toBe('delivered');
});

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.int() }).parse(server.address());
  server.close();
  await once(server, 'close');
  return String(port);
}

/** Starts the program copied from the reference, and gathers its output. */
async function start(code: string, env: Readonly<Record<string, string>>): Promise<string[]> {
  const folder = join(ROOT, '.build/webhooks');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${env['PORT']}.mjs`);
  writeFileSync(file, code);
  const program = spawn(process.execPath, [file], { env: { ...process.env, ...env }, stdio: 'pipe' });
  onTestFinished(() => void program.kill());
  const lines: string[] = [];
  program.stdout.on('data', (line) => lines.push(String(line)));
  return lines;
}
