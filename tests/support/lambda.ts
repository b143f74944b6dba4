import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { json, text } from 'node:stream/consumers';
import * as z from 'zod';
import { type Deployed, newStackState, type StackReply, stackOf } from './cloudformation.ts';
import { updateFunctions } from './update.ts';

const ERRORS = new Map([
  [404, 'ResourceNotFoundException'],
  [409, 'ResourceConflictException'],
]);

const Pointed = z.object({ Name: z.string().optional(), FunctionVersion: z.string() });

/**
 * Serves the protocols of Lambda and CloudFormation, as far as deployments need them, with the functions of
 * two stages. `/publish` deploys them as `cdk deploy` does.
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
    /** Deletion policy of versions published by an update that is rolled back. */
    deletionPolicy: 'RetainExceptOnCreate',
    /** Set to deploy one commit again: otherwise each deployment has another. */
    commit: undefined as number | undefined,
    /** Functions that the deployment has new code for. */
    isChanged: (_name: string) => true,
    /** Functions whose alias Lambda refuses to move after the deployment. */
    stuck: [] as string[],
    ...newStackState(),
  };

  async function answer(request: IncomingMessage): Promise<StackReply> {
    const url = new URL(request.url ?? '/', 'http://lambda');
    if (url.pathname === '/') return askStack(await text(request));
    return url.pathname === '/publish' ? { status: publish() } : answerOfLambda(request, url);
  }

  function askStack(body: string): StackReply {
    const asked = new URLSearchParams(body);
    return stackOf(functions, state, { name: asked.get('StackName') ?? '', action: asked.get('Action') });
  }

  async function answerOfLambda(request: IncomingMessage, url: URL): Promise<StackReply> {
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

  function remove(found: Deployed, gone: number): StackReply {
    if (gone === found.live || gone === found.good) return { status: 409, body: {} };
    found.versions = found.versions.filter((version) => version !== gone);
    return { status: 204 };
  }

  /** Deploys as CloudFormation does for `cdk deploy`, with a new commit unless the test has set one. */
  function publish(): number {
    state.updates += 1;
    const commit = state.commit ?? state.updates;
    const changed = [...functions].flatMap(([name, each]) =>
      name.startsWith('retail-dev-') && state.isChanged(name) ? [each] : [],
    );
    const outcome = updateFunctions(changed, { ...state, commit });
    state.status = outcome === 'deployed' ? 'UPDATE_COMPLETE' : state.rolledBack;
    return outcome === 'deployed' ? 200 : 500;
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

function point(found: Deployed, named: string | undefined, pointed: z.output<typeof Pointed>): StackReply {
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
