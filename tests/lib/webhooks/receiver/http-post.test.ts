import { createServer as createHttp, type RequestListener, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '#bin/cli/listen.ts';
import { postToReceiver } from '#lib/webhooks/receiver/http-post.ts';
import { CERTIFICATE } from '#tests/support/certificate.ts';

const HERE = ['127.0.0.1'];

test('the connection goes to the judged address, with the name for SNI, certificate and Host', async () => {
  const { key, cert } = CERTIFICATE;
  const seen: unknown[] = [];
  const server = createHttps({ key, cert }, (request, response) => {
    const { socket } = request;
    seen.push([request.headers.host, isEncrypted(socket) && socket.servername]);
    response.end('heard');
  });
  const port = await start(server);
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, cert]);
  onTestFinished(() => setDefaultCACertificates(before));
  const told = await send(`https://receiver.example:${port}/`);
  expect(told).toMatchObject({ status_code: 200, answer: 'heard' });
  expect(seen).toEqual([[`receiver.example:${port}`, 'receiver.example']]);
  const other = await send(`https://other.example:${port}/`);
  expect(other).toMatchObject({ status_code: null, answer: 'ERR_TLS_CERT_ALTNAME_INVALID' });
});

test('a redirect is an answer like any other, and is not followed', async () => {
  let asked = 0;
  const port = await serve((_, response) => {
    asked += 1;
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ status_code: 302 });
  expect(asked).toBe(1);
});

test('at most 4 KB of an answer are read, and 1 000 characters kept', async () => {
  let written = 0;
  const port = await serve((_, response) => {
    const more = () => {
      while (!response.destroyed && written < 50_000_000) {
        written += 65_536;
        if (!response.write('я'.repeat(32_768))) return;
      }
      response.end();
    };
    response.on('drain', more);
    more();
  });
  const { status_code, answer } = await send(`http://127.0.0.1:${port}/`);
  expect({ status_code, answer }).toEqual({ status_code: 200, answer: 'я'.repeat(1000) });
  expect(written).toBeLessThan(50_000_000);
});

test('who does not answer in time is not heard, and whose body stalls has answered', async () => {
  const silent = await serve(() => {});
  const told = await send(`http://127.0.0.1:${silent}/`, 200);
  expect(told).toMatchObject({ status_code: null, answer: 'ABORT_ERR' });
  const stalling = await serve((_, response) => void response.writeHead(200).write('half'));
  expect(await send(`http://127.0.0.1:${stalling}/`, 200)).toMatchObject({
    status_code: 200,
    answer: 'half',
  });
});

test('an unreachable receiver is reported by a word', async () => {
  const port = await serve(() => {});
  const { answer } = await postToReceiver(
    { url: new URL(`http://127.0.0.1:${port}/`), addresses: HERE },
    {},
    '',
    AbortSignal.abort(),
  );
  expect(answer).toBe('ABORT_ERR');
});

function send(url: string, ms = 5000) {
  return postToReceiver(
    { url: new URL(url), addresses: HERE },
    { 'x-test': '1' },
    '{}',
    AbortSignal.timeout(ms),
  );
}

function serve(listener: RequestListener): Promise<number> {
  return start(createHttp(listener));
}

async function start(server: Server): Promise<number> {
  const { address, stop } = await listen(server);
  onTestFinished(stop);
  return Number(new URL(address).port);
}

function isEncrypted(socket: object): socket is TLSSocket {
  return 'servername' in socket;
}
