import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { json, text } from 'node:stream/consumers';
import * as z from 'zod';

/**
 * A function's versions, those that its aliases point at, and the one that CloudFormation holds for live;
 * none before the first deployment.
 */
interface Deployed {
  versions: number[];
  live: number | undefined;
  good?: number;
  published?: number;
}

interface Reply {
  readonly status: number;
  readonly body?: object | string;
}

const ERRORS = new Map([
  [404, 'ResourceNotFoundException'],
  [409, 'ResourceConflictException'],
]);

const Pointed = z.object({ Name: z.string().optional(), FunctionVersion: z.string() });

const DENIED =
  '<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>Not yours</Message></Error></ErrorResponse>';

const AREA = 'arn:aws:cloudformation:eu-central-1:000000000000:stack/retail-dev-trade/1';

/**
 * Serves Lambda's protocol and CloudFormation's, as far as deployments go, with the functions of two stages.
 * `/publish` does what `cdk deploy` does to them.
 */
export async function serveLambda() {
  const functions = new Map<string, Deployed>([
    ['retail-dev-trade-POST-company-trade-sale', { versions: [1, 2, 3], live: 3, published: 3 }],
    ['retail-dev-admin-GET-admin-user-user', { versions: [4, 5], live: 5, published: 5 }],
    ['retail-dev-money-POST-new', { versions: [], live: undefined }],
    ['retail-production-unserved', { versions: [1, 2, 3], live: 3 }],
  ]);
  const state = {
    isDeployable: true,
    /** Functions that the deployment has new code for. */
    isChanged: (_name: string) => true,
    /** Functions whose alias Lambda won't move any more, once it points at what was deployed. */
    stuck: [] as string[],
    /** False if nobody may read the resources of stacks. */
    isReadable: true,
    /** What becomes of the stack, and how often it is still in the midst of it. */
    status: 'UPDATE_COMPLETE',
    rolledBack: 'UPDATE_ROLLBACK_COMPLETE',
    inProgress: 0,
    updates: 0,
  };

  async function answer(request: IncomingMessage): Promise<Reply> {
    const url = new URL(request.url ?? '/', 'http://lambda');
    if (url.pathname === '/') return stacks(await text(request));
    return url.pathname === '/publish' ? { status: publish() } : answerOfLambda(request, url);
  }

  async function answerOfLambda(request: IncomingMessage, url: URL): Promise<Reply> {
    const [, , , name = '', part] = url.pathname.split('/').map(decodeURIComponent);
    if (!name) return { status: 200, body: listFunctions(Number(url.searchParams.get('Marker') ?? 0)) };
    const found = functions.get(name);
    if (!found) return { status: 404, body: {} };
    if (request.method === 'DELETE') return remove(found, Number(url.searchParams.get('Qualifier')));
    if (request.method === 'GET')
      return { status: 200, body: part === 'versions' ? versionsOf(found) : aliasesOf(found) };
    if (state.stuck.includes(name)) return { status: 409, body: {} };
    return point(found, url.pathname.split('/')[5], Pointed.parse(await json(request)));
  }

  /** Lists two functions a page, as AWS does fifty. */
  function listFunctions(marker: number) {
    const names = [...functions.keys()];
    const page = names.slice(marker, marker + 2).map((FunctionName) => ({ FunctionName }));
    return { Functions: page, ...(marker + 2 < names.length && { NextMarker: String(marker + 2) }) };
  }

  function remove(found: Deployed, gone: number): Reply {
    if (gone === found.live || gone === found.good) return { status: 409, body: {} };
    found.versions = found.versions.filter((version) => version !== gone);
    return { status: 204 };
  }

  /** Gives each function a version, and points its alias there. */
  function publish(): number {
    state.updates += 1;
    state.status = state.isDeployable ? 'UPDATE_COMPLETE' : state.rolledBack;
    if (!state.isDeployable) return 500;
    for (const [name, deployed] of functions) {
      if (!name.startsWith('retail-dev-') || !state.isChanged(name)) continue;
      const next = Math.max(0, ...deployed.versions) + 1;
      deployed.versions.push(next);
      deployed.live = next;
      deployed.published = next;
    }
    return 200;
  }

  /** Answers with the stack of the stage, and within it one that holds all versions. */
  function stacks(body: string): Reply {
    const asked = new URLSearchParams(body);
    const stack = asked.get('StackName') ?? '';
    if (asked.get('Action') === 'DescribeStacks') return { status: 200, body: describeStack(stack) };
    if (!state.isReadable) return { status: 403, body: DENIED };
    const members = stack === 'retail-dev' ? [resource('CloudFormation::Stack', AREA)] : versionResources();
    const summaries = `<StackResourceSummaries>${members.join('')}</StackResourceSummaries>`;
    return {
      status: 200,
      body: `<ListStackResourcesResponse><ListStackResourcesResult>${summaries}</ListStackResourcesResult></ListStackResourcesResponse>`,
    };
  }

  function describeStack(stack: string): string {
    const status = state.inProgress-- > 0 ? 'UPDATE_IN_PROGRESS' : state.status;
    const changed = `2026-11-21T10:${String(state.updates).padStart(2, '0')}:00Z`;
    const member = `<member><StackName>${stack}</StackName><StackId>${stack}</StackId>
      <CreationTime>2026-11-20T10:00:00Z</CreationTime><LastUpdatedTime>${changed}</LastUpdatedTime>
      <StackStatus>${status}</StackStatus></member>`;
    return `<DescribeStacksResponse><DescribeStacksResult><Stacks>${member}</Stacks></DescribeStacksResult></DescribeStacksResponse>`;
  }

  function versionResources(): string[] {
    const arn = 'arn:aws:lambda:eu-central-1:000000000000:function';
    return [...functions].flatMap(([name, { published }]) =>
      published === undefined ? [] : [resource('Lambda::Version', `${arn}:${name}:${published}`)],
    );
  }

  const server = createServer((request, response) => {
    void answer(request).then(({ status, body }) => {
      const error = ERRORS.get(status);
      const type = typeof body === 'string' ? 'text/xml' : 'application/json';
      response.writeHead(status, { 'content-type': type, ...(error && { 'x-amzn-errortype': error }) });
      response.end(typeof body === 'object' ? JSON.stringify(body) : body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  const url = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`;
  return { url, functions, state, close: () => void server.close() };
}

function point(found: Deployed, named: string | undefined, pointed: z.output<typeof Pointed>): Reply {
  const { Name = named, FunctionVersion } = pointed;
  if (!found.versions.includes(Number(FunctionVersion))) return { status: 404, body: {} };
  found[Name === 'good' ? 'good' : 'live'] = Number(FunctionVersion);
  return { status: 200, body: { Name, FunctionVersion } };
}

function versionsOf({ versions }: Deployed) {
  return { Versions: ['$LATEST', ...versions].map((Version) => ({ Version: String(Version) })) };
}

function aliasesOf({ live, good }: Deployed) {
  const Aliases = Object.entries({ live, good }).flatMap(([Name, version]) =>
    version === undefined ? [] : [{ Name, FunctionVersion: String(version) }],
  );
  return { Aliases };
}

const resource = (type: string, name: string) =>
  `<member><ResourceType>AWS::${type}</ResourceType><PhysicalResourceId>${name}</PhysicalResourceId>
   <ResourceStatus>UPDATE_COMPLETE</ResourceStatus></member>`;
