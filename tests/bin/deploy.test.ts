import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { json, text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { hashPassword } from '#lib/access/passwords.ts';
import { newUser } from '#tests/kit/family.ts';

/*
 * The program runs as it is, against an endpoint that speaks Lambda's protocol, as far as these calls go, and
 * a service that really sells. In the place of `cdk deploy` each function gets a new version.
 */

const PROGRAM = join(import.meta.dirname, '../../bin/deploy.ts');
const PASSWORD = 'Deploy-2026';

/** A function's versions, and the one that its alias points at; none before the first deployment. */
interface Deployed {
  versions: number[];
  live: number | undefined;
}

let functions: Map<string, Deployed>;
let lambda: Server;
let endpoint: string;
let isDeployable: boolean;

beforeEach(async () => {
  functions = new Map([
    ['retail-dev-trade-POST-company-trade-sale', { versions: [1, 2, 3], live: 3 }],
    ['retail-dev-admin-GET-admin-user-user', { versions: [4, 5], live: 5 }],
    ['retail-dev-money-POST-new', { versions: [], live: undefined }],
    ['retail-production-unserved', { versions: [1, 2, 3], live: 3 }],
  ]);
  isDeployable = true;
  lambda = createServer((request, response) => {
    void answer(request).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json', ...errorHeader(status) });
      response.end(body === undefined ? '' : JSON.stringify(body));
    });
  });
  lambda.listen(0, '127.0.0.1');
  await once(lambda, 'listening');
  const bound = lambda.address();
  endpoint = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`;
});

afterEach(() => void lambda.close());

const errorHeader = (status: number) =>
  status === 404 ? { 'x-amzn-errortype': 'ResourceNotFoundException' } : {};

/** Two functions a page, as AWS has fifty. */
function listed(marker: number) {
  const names = [...functions.keys()];
  const page = names.slice(marker, marker + 2).map((FunctionName) => ({ FunctionName }));
  return { Functions: page, ...(marker + 2 < names.length && { NextMarker: String(marker + 2) }) };
}

async function answer(request: IncomingMessage): Promise<{ status: number; body?: object }> {
  const url = new URL(request.url ?? '/', endpoint);
  if (url.pathname === '/publish') return { status: publish() };
  const [, , , name = '', part] = url.pathname.split('/');
  if (!name) return { status: 200, body: listed(Number(url.searchParams.get('Marker') ?? 0)) };
  const found = functions.get(decodeURIComponent(name));
  if (!found) return { status: 404, body: {} };
  if (request.method === 'DELETE') {
    const gone = Number(url.searchParams.get('Qualifier'));
    if (gone === found.live) return { status: 409, body: {} };
    found.versions = found.versions.filter((version) => version !== gone);
    return { status: 204 };
  }
  if (part === 'versions') {
    const Versions = ['$LATEST', ...found.versions].map((Version) => ({ Version: String(Version) }));
    return { status: 200, body: { Versions } };
  }
  if (request.method === 'PUT') {
    found.live = Number(z.object({ FunctionVersion: z.string() }).parse(await json(request)).FunctionVersion);
  }
  if (found.live === undefined) return { status: 404, body: {} };
  return { status: 200, body: { Name: 'live', FunctionVersion: String(found.live) } };
}

/** What `cdk deploy` does to functions: each gets a version, and its alias points there. */
function publish(): number {
  if (!isDeployable) return 500;
  for (const [name, deployed] of functions) {
    if (!name.startsWith('retail-dev-')) continue;
    const next = Math.max(0, ...deployed.versions) + 1;
    deployed.versions.push(next);
    deployed.live = next;
  }
  return 200;
}

async function deploy(username: string, address = inject('address')) {
  const commands = mkdtempSync(join(tmpdir(), 'retail-deploy-'));
  const npx = join(commands, 'npx');
  writeFileSync(npx, `#!/bin/sh\nexec curl -sf -o /dev/null ${endpoint}/publish\n`);
  chmodSync(npx, 0o755);
  const args = [PROGRAM, '--stage', 'dev', '--address', address, '--username', username];
  const program = spawn(process.execPath, args, {
    env: {
      ...process.env,
      PATH: `${commands}${delimiter}${process.env['PATH']}`,
      SMOKE_PASSWORD: PASSWORD,
      AWS_ENDPOINT_URL_LAMBDA: endpoint,
    },
  });
  const ended = once(program, 'exit');
  const [stdout, stderr] = await Promise.all([text(program.stdout), text(program.stderr)]);
  await ended;
  return { code: program.exitCode, stdout, stderr };
}

async function newAdministrator(): Promise<string> {
  const username = `deployer.${randomUUID()}`;
  await newUser({ type: 'super_admin', username, password_hash: await hashPassword(PASSWORD) });
  return username;
}

const stateOf = (name: string) => functions.get(name);

test('a deployment that is well keeps its versions and those before it, and no others', {
  timeout: 60_000,
}, async () => {
  const { code, stdout } = await deploy(await newAdministrator());
  expect(stdout).toContain('All is well');
  expect(stdout).toContain('Deployed: 3 functions are live. 3 versions of earlier deployments were removed.');
  expect(code).toBe(0);
  expect(stateOf('retail-dev-trade-POST-company-trade-sale')).toEqual({ versions: [3, 4], live: 4 });
  expect(stateOf('retail-dev-admin-GET-admin-user-user')).toEqual({ versions: [5, 6], live: 6 });
  expect(stateOf('retail-dev-money-POST-new')).toEqual({ versions: [1], live: 1 });
  expect(stateOf('retail-production-unserved')).toEqual({ versions: [1, 2, 3], live: 3 });
});

test('one that is not well is pointed back, function by function, and nothing is removed', async () => {
  const { code, stdout, stderr } = await deploy('nobody.of.that.name');
  expect(stdout).toContain('Not well: signs in');
  expect(stderr).toContain('2 functions were pointed back at the versions that were live before.');
  expect(code).toBe(1);
  expect(stateOf('retail-dev-trade-POST-company-trade-sale')).toEqual({ versions: [1, 2, 3, 4], live: 3 });
  expect(stateOf('retail-dev-admin-GET-admin-user-user')).toEqual({ versions: [4, 5, 6], live: 5 });
  expect(stateOf('retail-dev-money-POST-new')).toEqual({ versions: [1], live: 1 });
});

test('one that CloudFormation takes back is not tried', async () => {
  isDeployable = false;
  const { code, stdout, stderr } = await deploy('nobody.of.that.name');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('CloudFormation has taken it back');
  expect(stateOf('retail-dev-admin-GET-admin-user-user')).toEqual({ versions: [4, 5], live: 5 });
});
