import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type App, Validations } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { beforeAll, describe, expect, test } from 'vitest';
import { NAG_SUPPRESSIONS, nagChecks } from '#infra/nag-suppressions.ts';
import { FIRST_MINUTE } from '#infra/warm.ts';
import {
  all,
  assemble,
  only,
  type Resource,
  resourcesOf,
  sharedStacks,
  stacksOf,
  synthesize,
} from './synthesis.ts';

let development: Resource[];
let production: Resource[];
/** Findings of cdk-nag in production. */
let findings: readonly string[] = [];

beforeAll(async () => {
  development = await synthesize({ DISPOSABLE: 'true' });
  const { app, stack } = await assemble({ stage: 'production' });
  const checks = new AwsSolutionsChecks(app);
  Validations.of(app).addPlugins({
    name: checks.name,
    validate: (context) => {
      findings = checks.validate(context).violations.map(({ ruleName }) => ruleName);
      return { success: true, violations: [] };
    },
  });
  production = resourcesOf(stack);
});

describe('a stage', () => {
  const policiesOf = (resources: readonly Resource[]) =>
    new Set(
      ['DynamoDB::Table', 'S3::Bucket', 'KMS::Key', 'SecretsManager::Secret', 'Logs::LogGroup']
        .flatMap((type) => all(resources, `AWS::${type}`))
        .map((each) => each['DeletionPolicy']),
    );

  test('keeps its data whatever its name, unless it is deployed as one to throw away', async () => {
    const { stack } = await sharedStacks({ stage: 'uz' });
    const resources = stacksOf(stack).flatMap((each) => each.resources);
    expect(stack.terminationProtection).toBe(true);
    expect(policiesOf(resources)).toEqual(new Set(['Retain']));
    expect(only(resources, 'AWS::DynamoDB::Table').Properties['DeletionProtectionEnabled']).toBe(true);
    const disposable = await sharedStacks({ DISPOSABLE: 'true' });
    expect(disposable.stack.terminationProtection).toBe(false);
    expect(policiesOf(development)).toEqual(new Set(['Delete']));
  });

  test('that is production is never one to throw away', async () => {
    await expect(synthesize({ stage: 'production', DISPOSABLE: 'true' })).rejects.toThrow('never DISPOSABLE');
  });
});

describe('the table', () => {
  test('is billed on demand, recoverable to any point, expires items, and has a stream of both images', () => {
    const { Properties } = only(development, 'AWS::DynamoDB::Table');
    expect(Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: true },
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      DeletionProtectionEnabled: false,
    });
  });

  test('is protected from deletion in production, and outlives its stack', () => {
    const table = only(production, 'AWS::DynamoDB::Table');
    expect(table.Properties['DeletionProtectionEnabled']).toBe(true);
    expect(table['DeletionPolicy']).toBe('Retain');
  });

  test('can give way to a restored one, by a flag: all else uses that, and it stays as it is', async () => {
    const own = JSON.stringify(only(production, 'AWS::DynamoDB::Table'));
    const TABLE_STREAM = '2026-11-21T10:00:00.000';
    const { stack } = await sharedStacks({ stage: 'production', TABLE: 'retail-restored', TABLE_STREAM });
    const stacks = stacksOf(stack);
    const swapped = stacks.flatMap(({ resources }) => resources);
    expect(JSON.stringify(only(swapped, 'AWS::DynamoDB::Table'))).toBe(own);
    const others = JSON.stringify(swapped.filter(({ Type }) => Type !== 'AWS::DynamoDB::Table'));
    expect(others).not.toMatch(/TableCD117FA1|"Ref":"referenceto\w*Table/);
    const withTable = all(swapped, 'AWS::Lambda::Function').flatMap(
      ({ Properties }) => Properties['Environment']?.Variables?.TABLE_NAME ?? [],
    );
    expect(new Set(withTable)).toEqual(new Set(['retail-restored']));
    expect(JSON.stringify(all(swapped, 'AWS::IAM::Role'))).toContain(':table/retail-restored');
    const [followed] = all(swapped, 'AWS::Lambda::EventSourceMapping').filter(
      ({ Properties }) => Properties['MaximumRecordAgeInSeconds'],
    );
    expect(JSON.stringify(followed)).toContain(`:table/retail-restored/stream/${TABLE_STREAM}`);
    await expect(sharedStacks({ TABLE: 'retail-restored' })).rejects.toThrow('go together');
    const alarm = all(swapped, 'AWS::CloudWatch::Alarm').find(({ id }) => id.includes('TableThrottles'));
    expect(JSON.stringify(alarm)).toContain('"retail-restored"');
    expect(Template.fromStack(stack).findOutputs('TableName')['TableName']?.['Value']).toBe(
      'retail-restored',
    );
  });
});

test('the stack tells programs the time zone of its days', async () => {
  const { stack } = await sharedStacks({ TIME_ZONE: 'Europe/Berlin' });
  expect(Template.fromStack(stack).findOutputs('TimeZone')['TimeZone']?.['Value']).toBe('Europe/Berlin');
});

describe('buckets', () => {
  test('are encrypted and closed to the public', () => {
    const buckets = all(development, 'AWS::S3::Bucket');
    expect(buckets).not.toHaveLength(0);
    for (const { Properties } of buckets) {
      expect(Properties['BucketEncryption']).toBeDefined();
      expect(Properties['PublicAccessBlockConfiguration']).toEqual({
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      });
    }
  });

  test('let exports expire after a week, and images that forms have sent after a day', () => {
    const rules = all(development, 'AWS::S3::Bucket').flatMap(
      ({ Properties }) => Properties['LifecycleConfiguration']?.Rules ?? [],
    );
    for (const [Prefix, ExpirationInDays] of Object.entries({ 'exports/': 7, 'incoming/': 1 })) {
      expect(rules).toContainEqual(expect.objectContaining({ Prefix, ExpirationInDays, Status: 'Enabled' }));
    }
  });

  test('that keep versions of removed files forget them after 30 days, with the mark of the removal', () => {
    const kept = all(production, 'AWS::S3::Bucket').filter(
      ({ Properties }) => Properties['VersioningConfiguration'],
    );
    expect(kept).toHaveLength(1);
    for (const { Properties } of kept) {
      expect(Properties['LifecycleConfiguration'].Rules).toContainEqual(
        expect.objectContaining({
          NoncurrentVersionExpiration: { NoncurrentDays: 30 },
          ExpiredObjectDeleteMarker: true,
        }),
      );
    }
  });

  test('let browsers send forms and follow links', () => {
    const rules = all(development, 'AWS::S3::Bucket').flatMap(
      ({ Properties }) => Properties['CorsConfiguration']?.CorsRules ?? [],
    );
    expect(rules).toEqual([expect.objectContaining({ AllowedMethods: ['POST', 'GET'] })]);
  });
});

test('every queue with a worker gives up after five times, to a dead-letter queue with an alarm', () => {
  const queues = all(development, 'AWS::SQS::Queue');
  const worked = queues.filter(({ Properties }) => Properties['RedrivePolicy']);
  expect(worked).toHaveLength(queues.length / 2);
  for (const { Properties } of worked) expect(Properties['RedrivePolicy'].maxReceiveCount).toBe(5);
  const workers = all(development, 'AWS::Lambda::EventSourceMapping').filter(
    ({ Properties }) => Properties['ScalingConfig'],
  );
  expect(workers).toHaveLength(worked.length);
  // With a queue of any length, functions stay free for callers.
  for (const { Properties } of workers) expect(Properties['ScalingConfig'].MaximumConcurrency).toBe(10);
});

test('the stream is followed from its oldest on, and tried again for less than it keeps, then put aside', () => {
  const [mapping, ...others] = all(development, 'AWS::Lambda::EventSourceMapping').filter(
    ({ Properties }) => !Properties['ScalingConfig'],
  );
  expect(others).toEqual([]);
  expect(mapping?.Properties).toMatchObject({
    StartingPosition: 'TRIM_HORIZON',
    MaximumRecordAgeInSeconds: 23 * 60 * 60,
    BisectBatchOnFunctionError: true,
    ParallelizationFactor: 1,
  });
  expect(mapping?.Properties).not.toHaveProperty('MaximumRetryAttempts');
  expect(JSON.stringify(mapping?.Properties['DestinationConfig'])).toContain('FilesBucket');
  const filters = mapping?.Properties['FilterCriteria'].Filters;
  expect(filters).toHaveLength(1);
  // Lambda's maximum.
  expect(filters[0].Pattern.length).toBeLessThan(4096);
  expect(filters[0].Pattern).toContain('{"prefix":"sale#family-"}');
});

test('what is put aside of the stream reaches the worker that has copies begin anew', () => {
  const [told, ...others] = all(development, 'AWS::S3::Bucket').flatMap(
    ({ Properties }) => Properties['NotificationConfiguration']?.QueueConfigurations ?? [],
  );
  expect(others).toEqual([]);
  expect(told).toMatchObject({
    Event: 's3:ObjectCreated:*',
    Filter: { S3Key: { Rules: [{ Name: 'prefix', Value: 'aws/lambda/' }] } },
  });
  expect(JSON.stringify(told.Queue)).toContain('Queueswatchfeed');
  const allowing = all(development, 'AWS::SQS::QueuePolicy').filter(({ Properties }) =>
    JSON.stringify(Properties).includes('s3.amazonaws.com'),
  );
  expect(allowing).toHaveLength(1);
});

describe('versions', () => {
  test('stay after a deployment that has others, and each function is reached by the one that is live', () => {
    const functions = all(development, 'AWS::Lambda::Function');
    const versions = all(development, 'AWS::Lambda::Version');
    const aliases = all(development, 'AWS::Lambda::Alias');
    expect([versions.length, aliases.length]).toEqual([functions.length, functions.length]);
    expect(new Set(versions.map((version) => version['DeletionPolicy']))).toEqual(
      new Set(['RetainExceptOnCreate']),
    );
    expect(new Set(aliases.map(({ Properties }) => Properties['Name']))).toEqual(new Set(['live']));
    const workers = all(development, 'AWS::Lambda::EventSourceMapping').map(({ Properties }) =>
      JSON.stringify(Properties['FunctionName']),
    );
    expect(workers.filter((target) => !target.includes('":live"'))).toEqual([]);
  });
});

describe('functions', () => {
  test('run on Node 24 and ARM, and log what the system says as JSON from warnings on, into one log', () => {
    const functions = all(development, 'AWS::Lambda::Function');
    for (const { Properties } of functions) {
      expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'] });
      expect(Properties['LoggingConfig']).toMatchObject({ LogFormat: 'JSON', SystemLogLevel: 'WARN' });
    }
    for (const { Properties } of all(development, 'AWS::Logs::LogGroup')) {
      expect(Properties['RetentionInDays']).toBeGreaterThan(0);
    }
    expect(all(development, 'AWS::Logs::LogGroup')).toHaveLength(2);
  });

  test('share a role if they need the same, and only then', () => {
    const roles = functionRoles(development);
    const policies = roles.map(({ Properties }) => JSON.stringify(Properties['Policies']));
    expect(new Set(policies).size).toBe(roles.length);
    // A role for each kind of need, not for each of some 300 functions.
    expect(roles.length).toBeLessThan(40);
  });

  test('have no wildcard rights, but for a list of streams, which IAM knows no resource for', () => {
    const open = functionRoles(development)
      .flatMap(statementsOf)
      .filter(({ Action, Resource: target }) => [Action, target].flat().includes('*'));
    expect(open).toEqual([{ Action: 'dynamodb:ListStreams', Effect: 'Allow', Resource: '*' }]);
  });

  test('of a GET write nothing, touch no files, and send only to the queue of list indexes', () => {
    const statements = statementsOf(roleOf('GET /admin/company/company'));
    const writing = statements.filter(({ Action }) => /Put|Update|Delete|Send/.test(JSON.stringify(Action)));
    const [sending, ...others] = writing.filter(
      ({ Action }) => Action !== 'logs:PutLogEvents' && !isLog(Action),
    );
    expect(others).toEqual([]);
    expect(sending).toMatchObject({ Effect: 'Allow', Action: 'sqs:SendMessage' });
    expect(JSON.stringify(sending)).toMatch(/"Queuesindexlists\w*","Arn"/);
  });

  test('of a GET that programs may call note when a key was used, and write nothing else', () => {
    const statements = statementsOf(roleOf('GET /company/product/brand'));
    expect(statements.filter(({ Action }) => /Item/.test(JSON.stringify(Action)))).toEqual([
      expect.objectContaining({ Action: ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query'] }),
      {
        Effect: 'Allow',
        Action: 'dynamodb:UpdateItem',
        Resource: expect.anything(),
        Condition: {
          'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['program-key-use#platform'] },
          Null: { 'dynamodb:LeadingKeys': 'false' },
        },
      },
    ]);
  });

  test('of a GET that marks what it shows may write to the table', () => {
    const read = statementsOf(roleOf('GET /common/user/notification'));
    const marking = statementsOf(roleOf('GET /common/user/notification/{model}'));
    const actions = (statements: typeof read) => statements.flatMap(({ Action }) => Action);
    expect(actions(marking)).toContain('dynamodb:UpdateItem');
    expect(actions(read)).not.toContain('dynamodb:UpdateItem');
  });

  test('that pass work on to themselves are not stopped as a loop, no others', () => {
    const looping = all(development, 'AWS::Lambda::Function')
      .filter(({ Properties }) => Properties['RecursiveLoop'] === 'Allow')
      .map(({ Properties }) => Properties['Description']);
    const own = ['broadcast', 'deliver-webhooks', 'index-lists', 'recover-journals'];
    expect(looping).toEqual(own.map((name) => `Works off the queue ${name}`));
  });

  test('that write may also change single items, like the steps of a large transaction', () => {
    const statements = statementsOf(roleOf('POST /company/trade/sale'));
    expect(statements.filter(({ Action }) => [Action].flat().includes('dynamodb:DeleteItem'))).toEqual([
      {
        Effect: 'Allow',
        Action: ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'].map(
          (action) => `dynamodb:${action}`,
        ),
        Resource: expect.anything(),
      },
    ]);
  });

  test('that store images, and no others, may write files and send to the queue that discards them', () => {
    const actions = statementsOf(roleOf('POST /company/product/brand')).flatMap(({ Action }) => Action);
    expect(actions).toEqual(expect.arrayContaining(['s3:PutObject', 'sqs:SendMessage']));
    expect(actions).not.toContain('s3:GetObject');
    expect(actions).not.toContain('sqs:ReceiveMessage');
  });

  test('that give files away read files and write none', () => {
    const actions = statementsOf(roleOf('GET /common/public/file/content')).flatMap(({ Action }) => Action);
    expect(actions).toContain('s3:GetObject');
    expect(actions).not.toContain('s3:PutObject');
  });

  test('that render images, and only those, have sharp for linux-arm64 in a layer', () => {
    const layered = all(development, 'AWS::Lambda::Function')
      .filter(({ Properties }) => Properties['Layers'])
      .map(({ Properties }) => Properties['Description']);
    expect(layered).toEqual(
      expect.arrayContaining([
        'POST /company/product/brand',
        'PUT /company/product/brand/{model}, POST /company/product/brand/{model}',
      ]),
    );
    expect(layered).not.toContain('GET /company/product/brand');
    const layer = join(import.meta.dirname, '../../infra/layers/sharp/nodejs/node_modules/@img');
    expect(existsSync(join(layer, 'sharp-linux-arm64'))).toBe(true);
  });
});

test('functions that other systems call with keys of their own know no secret to make tokens by', () => {
  const settingsOf = (routeKey: string) =>
    all(development, 'AWS::Lambda::Function').find(({ Properties }) => Properties['Description'] === routeKey)
      ?.Properties['Environment']?.Variables;
  const external = settingsOf('POST /external/credit/trade-sale/create');
  expect(external).toHaveProperty('TABLE_NAME');
  expect(external).not.toHaveProperty('TOKEN_SECRET');
  expect(settingsOf('POST /common/auth/pos-login')).toHaveProperty('TOKEN_SECRET');
});

describe('secrets', () => {
  const secretsIn = (resources: readonly Resource[]) =>
    all(resources, 'AWS::Lambda::Function').flatMap(({ Properties }) =>
      Object.entries(Properties['Environment']?.Variables ?? {})
        .filter(([name]) => name.includes('SECRET'))
        .map(([name, value]) => [name, JSON.stringify(value)] as const),
    );

  test('are in no template', () => {
    expect(secretsIn(development).length).toBeGreaterThan(800);
    for (const [, value] of secretsIn(development)) {
      expect(value).toMatch(/resolve:secretsmanager|^{"Ref":"(Token|Origin|Gateway|Sealing)\d"}$/);
    }
  });

  test('come into a stack inside as parameters that nobody is shown, and as references', async () => {
    const { stack } = await sharedStacks();
    const given = all(stacksOf(stack)[0]?.resources ?? [], 'AWS::CloudFormation::Stack').map(
      ({ Properties }) => JSON.stringify(Properties['Parameters']),
    );
    for (const [index, area] of stack.areas.entries()) {
      const parameters = Object.entries(Template.fromStack(area).findParameters('*'));
      const secrets = parameters.filter(([name]) => /^(Token|Origin|Gateway|Sealing)\d$/.test(name));
      expect(secrets.length).toBeGreaterThanOrEqual(4);
      for (const [name, { NoEcho }] of secrets) {
        expect(NoEcho).toBe(true);
        expect(given[index]).toMatch(
          new RegExp(`"${name}":{"Fn::Join":\\["",\\["{{resolve:secretsmanager:",{"Ref":"Secrets${name}`),
        );
      }
    }
  });

  test('that change reach every function: another number is another reference in each environment', async () => {
    const valuesOf = (resources: readonly Resource[], setting: string) =>
      new Set(
        secretsIn(resources)
          .filter(([name]) => name === setting)
          .map(([, value]) => /(?:Secrets|"Ref":")([A-Z][a-z]+\d)/.exec(value)?.[1]),
      );
    const changed = await synthesize({ SECRETS: '2,3', GATEWAY_SECRETS: '2,3' });
    for (const name of ['TOKEN_SECRET', 'ORIGIN_SECRET', 'GATEWAY_SECRET']) {
      const [before, after] = [valuesOf(development, name), valuesOf(changed, name)];
      expect(before.size).toBe(1);
      expect(after.size).toBe(1);
      expect(after).not.toEqual(before);
      // A newly used value was accepted everywhere before.
      expect(after).toEqual(valuesOf(development, `${name}_BELIEVED`));
    }
  });

  test('are two that differ', async () => {
    await expect(synthesize({ SECRETS: '1,1' })).rejects.toThrow('two different numbers');
    await expect(synthesize({ GATEWAY_SECRETS: '3,3' })).rejects.toThrow('two different numbers');
  });

  test('that the gateway knows too stay when sessions are ended: it would have to be notified', async () => {
    const gatewayIn = (resources: readonly Resource[]) =>
      secretsIn(resources).filter(([name]) => name.startsWith('GATEWAY'));
    expect(gatewayIn(development)).not.toEqual([]);
    expect(gatewayIn(await synthesize({ SECRETS: '2,3' }))).toEqual(gatewayIn(development));
  });
});

describe('alarms', () => {
  test('may be published to their topic, by CloudWatch of this account alone', () => {
    const { Statement } = only(development, 'AWS::SNS::TopicPolicy').Properties['PolicyDocument'];
    const own = { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } };
    const cloudWatch = { Service: 'cloudwatch.amazonaws.com' };
    expect(Statement).toContainEqual(
      expect.objectContaining({
        Effect: 'Allow',
        Action: 'sns:Publish',
        Principal: cloudWatch,
        Condition: own,
      }),
    );
    const keys = all(development, 'AWS::KMS::Key').filter(({ Properties }) =>
      JSON.stringify(Properties['KeyPolicy']).includes('cloudwatch'),
    );
    expect(keys).toHaveLength(1);
    expect(keys[0]?.Properties['KeyPolicy'].Statement).toContainEqual(
      expect.objectContaining({
        Principal: cloudWatch,
        Condition: own,
        Action: ['kms:Decrypt', 'kms:GenerateDataKey*'],
      }),
    );
  });

  test('name a runbook that docs/operate.md has, and no runbook is left over', () => {
    const named = all(development, 'AWS::CloudWatch::Alarm').map(
      ({ Properties }) => /Runbook: docs\/operate.md, "(.+)"$/.exec(Properties['AlarmDescription'])?.[1],
    );
    const text = readFileSync(join(import.meta.dirname, '../../docs/operate.md'), 'utf8');
    const runbooks = [...text.matchAll(/^### (.+)$/gm)].map(([, title]) => title);
    expect(new Set(runbooks)).toEqual(new Set(named));
  });

  test('watch each queue and each API, and the night, in which no rate means anything', () => {
    const alarms = all(development, 'AWS::CloudWatch::Alarm').map(({ id, Properties }) => ({
      id,
      ...Properties,
    }));
    const queues = all(development, 'AWS::SQS::Queue').length / 2;
    const apis = all(development, 'AWS::ApiGatewayV2::Api').length;
    expect(alarms).toHaveLength(2 * queues + 2 * apis + 5 + 7);
    const night = alarms.find(({ id }) => id.includes('NightErrors'));
    expect(night).toMatchObject({ EvaluationPeriods: 12, DatapointsToAlarm: 2, Threshold: 0 });
  });

  test('watch every operation by which the service asks the table', () => {
    const alarm = all(development, 'AWS::CloudWatch::Alarm').find(({ id }) => id.includes('TableThrottles'));
    const watched = [...JSON.stringify(alarm).matchAll(/"Operation","Value":"(\w+)"/g)].map(
      ([, each]) => each,
    );
    expect(watched.toSorted()).toEqual([
      'BatchGetItem',
      'DeleteItem',
      'PutItem',
      'Query',
      'TransactGetItems',
      'TransactWriteItems',
      'UpdateItem',
    ]);
  });
});

describe('the dashboard', () => {
  test('shows what the service counts in its log', () => {
    const body = JSON.stringify(only(development, 'AWS::CloudWatch::Dashboard').Properties['DashboardBody']);
    for (const figure of [
      'sales',
      'returns',
      'exchanges',
      'refusals',
      'conflicts',
      'recovered',
      'worker_lag',
      'feed_lag',
    ]) {
      expect(body).toContain(figure);
    }
  });
});

describe('tracing', () => {
  let app: App;
  let traces: Resource[];

  beforeAll(async () => {
    const made = await assemble({ TRACING: 'on' });
    app = made.app;
    Validations.of(app).addPlugins(nagChecks(app));
    traces = resourcesOf(made.stack);
  });

  test('is off, and by a flag on for every function', () => {
    const traced = (resources: readonly Resource[]) =>
      all(resources, 'AWS::Lambda::Function').filter(({ Properties }) => Properties['TracingConfig']);
    expect(traced(development)).toEqual([]);
    expect(traced(traces)).toHaveLength(all(development, 'AWS::Lambda::Function').length);
    expect(JSON.stringify(functionRoles(traces))).toContain('xray:PutTraceSegments');
  });

  test('is explained to cdk-nag, so that such a stage can be deployed', () => {
    const report = readFileSync(join(app.synth().directory, 'validation-report.json'), 'utf8');
    const told: unknown = JSON.parse(report);
    expect(told).toMatchObject({ pluginReports: [{ conclusion: 'success', violations: [] }] });
  });
});

describe('functions that a till meets first', () => {
  const warmOf = (resources: readonly Resource[]) =>
    all(resources, 'AWS::Lambda::Alias').filter(
      ({ Properties }) => Properties['ProvisionedConcurrencyConfig'],
    );

  test('are operations of the service, and are kept warm if that is asked for', async () => {
    const served = all(development, 'AWS::Lambda::Function').flatMap(({ Properties }) =>
      String(Properties['Description']).split(', '),
    );
    expect(FIRST_MINUTE.filter((operation) => !served.includes(operation))).toEqual([]);
    expect(warmOf(development)).toEqual([]);
    expect(warmOf(await synthesize({ WARM: '2', CONCURRENCY: '1000' }))).toHaveLength(FIRST_MINUTE.length);
  });

  test('are not kept warm by an account that may not set so many aside: the deployment would fail', async () => {
    await expect(synthesize({ WARM: '1' })).rejects.toThrow('ask for more at once');
    await expect(synthesize({ WARM: '81', CONCURRENCY: '1000' })).rejects.toThrow('ask for more at once');
  });
});

describe('what would take all of an account', () => {
  const reservedOf = (resources: readonly Resource[]) =>
    all(resources, 'AWS::Lambda::Function')
      .filter(({ Properties }) => Properties['ReservedConcurrentExecutions'] !== undefined)
      .map(({ Properties }) => Properties['Description']);

  test('has functions set aside once the account has enough: a new one, with ten, would refuse', async () => {
    expect(reservedOf(development)).toEqual([]);
    const grown = await synthesize({ CONCURRENCY: '1000' });
    expect(reservedOf(grown)).toEqual([
      'Works off the queue deliver-webhooks',
      'POST /company/product/brand/import',
      'POST /company/product/product/import',
      'POST /company/client/client/import',
      'POST /company/stock/supplier/import',
    ]);
  });
});

test('cdk-nag finds nothing that is not explained, and no explanation is left over', () => {
  const left = findings.filter((name) => !NAG_SUPPRESSIONS.some(({ finding }) => finding.test(name)));
  // This one is suppressed at the roles only: CDK removes it after the checks.
  expect(left).toEqual(['AwsSolutions-IAM5[Resource::*]']);
  expect(NAG_SUPPRESSIONS.filter(({ finding }) => !findings.some((name) => finding.test(name)))).toEqual([]);
});

interface Statement {
  readonly Action: string | string[];
  readonly Resource: unknown;
}

/** Finds the roles of functions: schedules and APIs have some too. */
function functionRoles(resources: readonly Resource[]): Resource[] {
  return all(resources, 'AWS::IAM::Role').filter(({ Properties }) =>
    JSON.stringify(Properties['AssumeRolePolicyDocument']).includes('lambda.amazonaws.com'),
  );
}

function statementsOf({ Properties }: Resource): Statement[] {
  return Properties['Policies'][0].PolicyDocument.Statement;
}

function isLog(action: string | string[]): boolean {
  return [action].flat().every((each) => each.startsWith('logs:'));
}

/** Finds the role of the function that serves a route: its stack has it as a parameter of that name. */
function roleOf(routeKey: string): Resource {
  const served = all(development, 'AWS::Lambda::Function').find(
    ({ Properties }) => Properties['Description'] === routeKey,
  );
  const parameter = String(served?.Properties['Role'].Ref ?? '');
  const [, name] = /(Roles\w+)[0-9A-F]{8}Arn$/.exec(parameter) ?? [];
  const role = all(development, 'AWS::IAM::Role').find(({ id }) => id.slice(0, -8) === name);
  if (!role) throw new Error(`No function serves ${routeKey}`);
  return role;
}
