import { runSimulation } from '@cloud-copilot/iam-simulate';
import * as z from 'zod';
import { all, type Resource } from './synthesis.ts';

/* Checks the AWS calls of functions against their roles with a simulator of IAM. */

const PLACE = 'us-east-1:111122223333';

/** Resources of the local service under which the deployment's are known here. */
const [TABLE, BUCKET] = ['retail', 'retail-files'];

/** Call as recorded by the local service. */
export const RecordedCall = z.object({
  function: z.string(),
  action: z.string(),
  resource: z.string(),
  within: z.string().optional(),
  partition: z.string().optional(),
});

export type RecordedCall = z.output<typeof RecordedCall>;

const Several = z.union([z.string().transform((one) => [one]), z.array(z.string())]);

const Statement = z.strictObject({
  Effect: z.literal('Allow'),
  Action: Several,
  Resource: Several,
  Condition: z.record(z.string(), z.record(z.string(), Several.transform(kindsIn))).optional(),
});

export type Statement = z.output<typeof Statement>;

const Policies = z.tuple([z.object({ PolicyDocument: z.object({ Statement: z.array(Statement) }) })]);

/** Returns the first parts of partition keys: recorded calls have only these. */
function kindsIn(values: readonly string[]): string[] {
  return values.map((value) => value.split('#')[0] ?? '');
}

/** A function as it would be deployed. */
export interface RoleBearer {
  /** Served names: route keys, or the name of a worker in the local service. */
  readonly names: readonly string[];
  readonly role: string;
  readonly statements: readonly Statement[];
  /** Calls Lambda makes for it with its role. */
  readonly ofLambda: readonly RecordedCall[];
}

/** Finds all functions with the permissions of their roles. */
export function roleBearers(resources: readonly Resource[]): RoleBearer[] {
  const roles = new Map(
    all(resources, 'AWS::IAM::Role')
      .filter(({ id }) => id.startsWith('Roles'))
      .map(({ id, Properties }) => {
        const [{ PolicyDocument }] = Policies.parse(resolved(Properties['Policies']));
        return [id.slice(0, -8), PolicyDocument.Statement] as const;
      }),
  );
  return all(resources, 'AWS::Lambda::Function').map(({ Properties }) => {
    const names = String(Properties['Description'])
      .replace('Works off the queue', 'worker')
      .replace('Follows the stream:', 'follower')
      .split(', ');
    const role = /(Roles\w+)[0-9A-F]{8}(Arn)?$/.exec(
      Properties['Role'].Ref ?? Properties['Role']['Fn::GetAtt'][0],
    )?.[1];
    const statements = role === undefined ? undefined : roles.get(role);
    if (role === undefined || !statements) throw new Error(`${names} has no role`);
    return { names, role, statements, ofLambda: callsOfLambda(names[0] ?? '', 'KmsKeyArn' in Properties) };
  });
}

/** Lambda's reads for the stream consumer, and its dead letters. */
const OF_FOLLOWER = [
  ...['GetRecords', 'GetShardIterator', 'DescribeStream'].map(
    (action) => [`dynamodb:${action}`, `${TABLE}/stream/now`] as const,
  ),
  ['dynamodb:ListStreams', '*'] as const,
  ['s3:PutObject', `${BUCKET}/aws/lambda/file`] as const,
  ['s3:ListBucket', BUCKET] as const,
];

function callsOfLambda(name: string, isSecret: boolean): RecordedCall[] {
  const worker = /^worker (.+)/.exec(name)?.[1];
  const calls = [
    ...['CreateLogStream', 'PutLogEvents'].map((action) => [`logs:${action}`, 'Log'] as const),
    ...(isSecret ? [['kms:Decrypt', 'SecretsKey'] as const] : []),
    ...(worker
      ? // The last is the worker's own, once a message fails, which those of most never do in a test.
        ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes', 'ChangeMessageVisibility'].map(
          (action) => [`sqs:${action}`, worker] as const,
        )
      : []),
    ...(name.startsWith('follower ') ? OF_FOLLOWER : []),
  ];
  return calls.map(([action, resource]) => ({ function: name, action, resource }));
}

/** Resolves references in a part of a template as CloudFormation would, to names of the local service. */
function resolved(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(resolved);
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part);
  const [name, value] = entries[0] ?? [];
  if (name === 'Fn::GetAtt') return arnOf(value);
  if (name === 'Fn::Join') return z.array(z.string()).parse(resolved(value[1])).join('');
  return Object.fromEntries(entries.map(([key, each]) => [key, resolved(each)]));
}

function arnOf([id = '', attribute]: readonly string[]): string {
  const name = id.slice(0, -8);
  if (name === 'Table') return arnFor('dynamodb', attribute === 'StreamArn' ? `${TABLE}/stream/now` : TABLE);
  if (name === 'FilesBucket') return arnFor('s3', BUCKET);
  if (name === 'SecretsKey') return arnFor('kms', name);
  if (name === 'Log') return `arn:aws:logs:${PLACE}:log-group:${name}:*`;
  if (name.startsWith('Queues')) return arnFor('sqs', name.slice('Queues'.length));
  throw new Error(`A role speaks of ${id}, which no function is known to call`);
}

/** Returns the ARN of a call's resource. */
function arnFor(service: string, name: string): string {
  if (name === '*') return name;
  if (service === 'dynamodb') return `arn:aws:dynamodb:${PLACE}:table/${name}`;
  if (service === 's3') return `arn:aws:s3:::${name}`;
  if (service === 'kms') return `arn:aws:kms:${PLACE}:key/${name}`;
  if (service === 'logs') return `arn:aws:logs:${PLACE}:log-group:${name}:log-stream:any`;
  // A template's ids have no dashes.
  return `arn:aws:sqs:${PLACE}:${name.replaceAll('-', '')}`;
}

/** A key delegates access to the policies of its account. */
const KEY_POLICY = {
  Version: '2012-10-17',
  Statement: [
    { Effect: 'Allow', Principal: { AWS: 'arn:aws:iam::111122223333:root' }, Action: 'kms:*', Resource: '*' },
  ],
};

const known = new Map<string, Promise<boolean>>();

function allows(Statement: readonly Statement[], call: RecordedCall): Promise<boolean> {
  const { function: _, ...asked } = call;
  const question = JSON.stringify([Statement, asked]);
  const answer = known.get(question) ?? simulate(Statement, asked);
  known.set(question, answer);
  return answer;
}

async function simulate(
  Statement: readonly Statement[],
  { action, resource, within, partition }: Omit<RecordedCall, 'function'>,
): Promise<boolean> {
  const [service = ''] = action.split(':');
  const answer = await runSimulation(
    {
      request: {
        principal: 'arn:aws:iam::111122223333:role/function',
        action,
        resource: { resource: arnFor(service, resource), accountId: '111122223333' },
        contextVariables: {
          ...(within !== undefined && { 'dynamodb:EnclosingOperation': within }),
          ...(partition !== undefined && { 'dynamodb:LeadingKeys': [partition] }),
        },
      },
      identityPolicies: [{ name: 'Needs', policy: { Version: '2012-10-17', Statement } }],
      serviceControlPolicies: [],
      resourceControlPolicies: [],
      ...(service === 'kms' && { resourcePolicy: KEY_POLICY }),
    },
    {},
  );
  if (answer.resultType === 'error') throw new Error(`${action}: ${JSON.stringify(answer.errors)}`);
  return answer.overallResult === 'Allowed';
}

/** Lists the calls that a function's role does not allow, and those of functions that there are not. */
export async function denied(
  bearers: readonly RoleBearer[],
  calls: readonly RecordedCall[],
): Promise<string[]> {
  const byName = new Map(bearers.flatMap((bearer) => bearer.names.map((name) => [name, bearer] as const)));
  const told = new Set<string>();
  for (const call of [...calls, ...bearers.flatMap(({ ofLambda }) => ofLambda)]) {
    const bearer = byName.get(call.function);
    if (bearer && (await allows(bearer.statements, call))) continue;
    told.add(`${call.function} (${bearer?.role}): ${call.action} on ${call.resource}`);
  }
  return [...told].sort();
}

/** Lists the functions that have called nothing. */
export function silent(bearers: readonly RoleBearer[], calls: readonly RecordedCall[]): string[] {
  const calling = new Set(calls.map((call) => call.function));
  return bearers
    .filter(({ names }) => !names.some((name) => calling.has(name)))
    .map(({ names: [name = ''] }) => name);
}

/**
 * Lists permissions without a call: each action on each resource of a statement by any function that has the
 * statement.
 */
export async function unneeded(
  bearers: readonly RoleBearer[],
  calls: readonly RecordedCall[],
): Promise<string[]> {
  const byName = Map.groupBy(calls, (call) => call.function);
  const holders = Map.groupBy(
    bearers.flatMap((bearer) => bearer.statements.map((statement) => ({ bearer, statement }))),
    ({ statement }) => JSON.stringify(statement),
  );
  const told: string[] = [];
  for (const held of holders.values()) {
    const made = held.flatMap(({ bearer: { names, ofLambda } }) => [
      ...ofLambda,
      ...names.flatMap((name) => byName.get(name) ?? []),
    ]);
    for (const { Action, Resource } of held.slice(0, 1).map(({ statement }) => statement)) {
      for (const [action, target] of Action.flatMap((each) => Resource.map((at) => [each, at] as const))) {
        const alone: Statement[] = [{ Effect: 'Allow', Action: [action], Resource: [target] }];
        if (
          await someAllowed(
            alone,
            made.filter((call) => call.action === action),
          )
        )
          continue;
        told.push(
          `${action} on ${target}, of ${[...new Set(held.map(({ bearer }) => bearer.role))].join(', ')}`,
        );
      }
    }
  }
  return told.sort();
}

async function someAllowed(
  statements: readonly Statement[],
  calls: readonly RecordedCall[],
): Promise<boolean> {
  for (const call of calls) if (await allows(statements, call)) return true;
  return false;
}
