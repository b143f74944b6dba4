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
import { runProgram } from '#tests/kit/program.ts';

/*
 * The program runs as it is, against an endpoint that speaks Lambda's protocol, as far as these calls go, and
 * a service that really sells. In the place of `cdk deploy` each function gets a new version.
 */

const PASSWORD = 'Deploy-2026';

/**
 * A function's versions, the one that its alias points at, and the one that CloudFormation holds for that;
 * none before the first deployment.
 */
interface Deployed {
  versions: number[];
  live: number | undefined;
  published?: number;
}

let functions: Map<string, Deployed>;
let lambda: Server;
let endpoint: string;
let isDeployable: boolean;
/** Functions that the deployment has new code for. */
let isChanged: (name: string) => boolean;
/** Functions whose alias Lambda won't move any more, once it points at what was deployed. */
let stuck: string[];
/** False if nobody may read the stacks. */
let isReadable: boolean;

beforeEach(async () => {
  functions = new Map([
    ['retail-dev-trade-POST-company-trade-sale', { versions: [1, 2, 3], live: 3, published: 3 }],
    ['retail-dev-admin-GET-admin-user-user', { versions: [4, 5], live: 5, published: 5 }],
    ['retail-dev-money-POST-new', { versions: [], live: undefined }],
    ['retail-production-unserved', { versions: [1, 2, 3], live: 3 }],
  ]);
  isDeployable = true;
  isChanged = () => true;
  stuck = [];
  isReadable = true;
  lambda = createServer((request, response) => {
    void answer(request).then(({ status, body }) => {
      const type = typeof body === 'string' ? 'text/xml' : 'application/json';
      response.writeHead(status, { 'content-type': type, ...errorHeader(status) });
      response.end(typeof body === 'object' ? JSON.stringify(body) : body);
    });
  });
  lambda.listen(0, '127.0.0.1');
  await once(lambda, 'listening');
  const bound = lambda.address();
  endpoint = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`;
});

afterEach(() => void lambda.close());

const ERRORS = new Map([
  [404, 'ResourceNotFoundException'],
  [409, 'ResourceConflictException'],
]);

function errorHeader(status: number): Record<string, string> {
  const type = ERRORS.get(status);
  return type === undefined ? {} : { 'x-amzn-errortype': type };
}

/** Lists two functions a page, as AWS does fifty. */
function listed(marker: number) {
  const names = [...functions.keys()];
  const page = names.slice(marker, marker + 2).map((FunctionName) => ({ FunctionName }));
  return { Functions: page, ...(marker + 2 < names.length && { NextMarker: String(marker + 2) }) };
}

async function answer(request: IncomingMessage): Promise<{ status: number; body?: object | string }> {
  const url = new URL(request.url ?? '/', endpoint);
  if (url.pathname === '/') return readStacks(await text(request));
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
    if (stuck.includes(decodeURIComponent(name))) return { status: 409, body: {} };
    found.live = Number(z.object({ FunctionVersion: z.string() }).parse(await json(request)).FunctionVersion);
  }
  if (found.live === undefined) return { status: 404, body: {} };
  return { status: 200, body: { Name: 'live', FunctionVersion: String(found.live) } };
}

/** Does what `cdk deploy` does to functions: each gets a version, and its alias points there. */
function publish(): number {
  if (!isDeployable) return 500;
  for (const [name, deployed] of functions) {
    if (!name.startsWith('retail-dev-') || !isChanged(name)) continue;
    const next = Math.max(0, ...deployed.versions) + 1;
    deployed.versions.push(next);
    deployed.live = next;
    deployed.published = next;
  }
  return 200;
}

function readStacks(body: string) {
  return isReadable ? { status: 200, body: cloudFormation(body) } : { status: 403, body: DENIED };
}

/** Answers with the stack of the stage, and within it one that holds all versions. */
function cloudFormation(body: string): string {
  const asked = new URLSearchParams(body);
  const stack = asked.get('StackName') ?? '';
  if (asked.get('Action') === 'DescribeStacks') {
    const member = `<member><StackName>${stack}</StackName><StackId>${stack}</StackId>
      <CreationTime>2026-11-21T10:00:00Z</CreationTime><StackStatus>UPDATE_COMPLETE</StackStatus></member>`;
    return `<DescribeStacksResponse><DescribeStacksResult><Stacks>${member}</Stacks></DescribeStacksResult></DescribeStacksResponse>`;
  }
  const members = stack === 'retail-dev' ? [resource('CloudFormation::Stack', AREA)] : publishedVersions();
  const summaries = `<StackResourceSummaries>${members.join('')}</StackResourceSummaries>`;
  return `<ListStackResourcesResponse><ListStackResourcesResult>${summaries}</ListStackResourcesResult></ListStackResourcesResponse>`;
}

const DENIED =
  '<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>Not yours</Message></Error></ErrorResponse>';

const AREA = 'arn:aws:cloudformation:eu-central-1:000000000000:stack/retail-dev-trade/1';

const resource = (type: string, name: string) =>
  `<member><ResourceType>AWS::${type}</ResourceType><PhysicalResourceId>${name}</PhysicalResourceId>
   <ResourceStatus>UPDATE_COMPLETE</ResourceStatus></member>`;

function publishedVersions(): string[] {
  const arn = 'arn:aws:lambda:eu-central-1:000000000000:function';
  return [...functions].flatMap(([name, { published }]) =>
    published === undefined ? [] : [resource('Lambda::Version', `${arn}:${name}:${published}`)],
  );
}

async function deploy(username: string, address = inject('address')) {
  const commands = mkdtempSync(join(tmpdir(), 'retail-deploy-'));
  const npx = join(commands, 'npx');
  writeFileSync(npx, `#!/bin/sh\nexec curl -sf -o /dev/null ${endpoint}/publish\n`);
  chmodSync(npx, 0o755);
  return runProgram('deploy', ['--stage', 'dev', '--address', address, '--username', username], {
    PATH: `${commands}${delimiter}${process.env['PATH']}`,
    SMOKE_PASSWORD: PASSWORD,
    AWS_ENDPOINT_URL_LAMBDA: endpoint,
    AWS_ENDPOINT_URL_CLOUDFORMATION: endpoint,
  });
}

async function newAdministrator(): Promise<string> {
  const username = `deployer.${randomUUID()}`;
  await newUser({ type: 'super_admin', username, password_hash: await hashPassword(PASSWORD) });
  return username;
}

function stateOf(name: string) {
  const { versions, live } = functions.get(name) ?? {};
  return { versions, live };
}

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

test('one whose versions can not be read is pointed back, untried', async () => {
  isReadable = false;
  const { code, stdout, stderr } = await deploy(await newAdministrator());
  expect(stdout).toBe("What was deployed can't be read: Not yours\n");
  expect(stderr).toContain('2 functions were pointed back at the versions that were live before.');
  expect(code).toBe(1);
  expect(stateOf('retail-dev-admin-GET-admin-user-user')).toEqual({ versions: [4, 5, 6], live: 5 });
});

test('one that CloudFormation takes back is not tried', async () => {
  isDeployable = false;
  const { code, stdout, stderr } = await deploy('nobody.of.that.name');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('CloudFormation has taken it back');
  expect(stateOf('retail-dev-admin-GET-admin-user-user')).toEqual({ versions: [4, 5], live: 5 });
});

test('a function that could not be pointed back keeps no other from it, and is told with its command', async () => {
  stuck = ['retail-dev-trade-POST-company-trade-sale'];
  const { code, stderr } = await deploy('nobody.of.that.name');
  expect(stderr).toContain('1 functions were pointed back');
  expect(stderr).toContain(`These could not be pointed back, and are still new:
aws lambda update-alias --function-name ${stuck[0]} --name live --function-version 3`);
  expect(code).toBe(1);
  expect(stateOf('retail-dev-trade-POST-company-trade-sale').live).toBe(4);
  expect(stateOf('retail-dev-admin-GET-admin-user-user').live).toBe(5);
});

test('a deployment after one that was pointed back has all its functions live, also those it did not change', {
  timeout: 60_000,
}, async () => {
  const [sale, users] = ['retail-dev-trade-POST-company-trade-sale', 'retail-dev-admin-GET-admin-user-user'];
  await deploy('nobody.of.that.name');
  expect([stateOf(sale).live, stateOf(users).live]).toEqual([3, 5]);
  isChanged = (name) => name === sale;
  const { stdout } = await deploy(await newAdministrator());
  expect(stdout).toContain('Deployed: 3 functions are live.');
  expect(stateOf(sale)).toEqual({ versions: [3, 5], live: 5 });
  expect(stateOf(users)).toEqual({ versions: [5, 6], live: 6 });
});
