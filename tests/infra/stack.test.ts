import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { beforeAll, describe, expect, test } from 'vitest';
import { EXPLAINED } from '#infra/findings.ts';
import { REFERENCE_ROUTES } from '#infra/reference/reference-site.ts';
import { discoverRoutes } from '#infra/routes.ts';
import { assemble, type Resource, synthesize } from './synthesis.ts';

let development: Resource[];
let production: Resource[];

beforeAll(async () => {
  development = await synthesize();
  production = await synthesize({ stage: 'production' });
}, 120_000);

describe('the table', () => {
  test('is billed on demand, recoverable to any point, expires items and streams its changes', () => {
    expect(only(development, 'AWS::DynamoDB::Table').Properties).toMatchObject({
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
  expect(all(development, 'AWS::Lambda::EventSourceMapping')).toHaveLength(worked.length);
});

describe('functions', () => {
  test('run on Node 24 and ARM, each with a role and a log of its own that does not grow for ever', () => {
    const functions = all(development, 'AWS::Lambda::Function');
    for (const { Properties } of functions) {
      expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'] });
    }
    expect(functionRoles(development)).toHaveLength(functions.length);
    expect(new Set(functions.map(({ Properties }) => JSON.stringify(Properties['Role']))).size).toBe(
      functions.length,
    );
    for (const { Properties } of all(development, 'AWS::Logs::LogGroup')) {
      expect(Properties['RetentionInDays']).toBeGreaterThan(0);
    }
  });

  test('have no wildcard rights', () => {
    const open = functionRoles(development)
      .flatMap(statementsOf)
      .filter(({ Action, Resource: target }) => [Action, target].flat().includes('*'));
    expect(open).toEqual([]);
  });

  test('of a GET write nothing, touch no files, and send only to the queue of list indexes', () => {
    const statements = statementsOf(roleOf('GET /company/product/brand'));
    const writing = statements.filter(({ Action }) => /Put|Update|Delete|Send/.test(JSON.stringify(Action)));
    const [sending, ...others] = writing.filter(
      ({ Action }) => Action !== 'logs:PutLogEvents' && !isLog(Action),
    );
    expect(others).toEqual([]);
    expect(sending).toMatchObject({ Effect: 'Allow', Action: 'sqs:SendMessage' });
    // In a stack of its own the queue's address is a parameter with the queue's name.
    expect(JSON.stringify(sending)).toMatch(/Queuesindexlists\w*Arn"}|"Queuesindexlists\w*","Arn"/);
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
    expect(looping).toEqual(['Works off the queue broadcast', 'Works off the queue index-lists']);
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

describe('the API', () => {
  test('has a route for every operation, POST for _method, the reference, and $default', async () => {
    const routes = await discoverRoutes();
    const wanted = routes.flatMap(({ path, endpoints, hasMethodOverride }) => [
      ...Object.keys(endpoints).map((method) => `${method} ${path}`),
      ...(hasMethodOverride ? [`POST ${path}`] : []),
    ]);
    const served = all(development, 'AWS::ApiGatewayV2::Route').map(
      ({ Properties }) => Properties['RouteKey'],
    );
    expect(served.sort()).toEqual([...wanted, ...REFERENCE_ROUTES, '$default'].sort());
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

test('secrets are in no template', () => {
  const settings = all(development, 'AWS::Lambda::Function').map(
    ({ Properties }) => Properties['Environment']?.Variables?.TOKEN_SECRET,
  );
  for (const secret of settings.filter(Boolean))
    expect(JSON.stringify(secret)).toContain('resolve:secretsmanager');
});

test('cdk-nag finds nothing that is not explained, and no explanation is left over', async () => {
  const { app } = await assemble({ stage: 'production' });
  const checks = new AwsSolutionsChecks(app);
  let findings: string[] = [];
  Validations.of(app).addPlugins({
    name: checks.name,
    validate: (context) => {
      findings = checks.validate(context).violations.map(({ ruleName }) => ruleName);
      return { success: true, violations: [] };
    },
  });
  app.synth();
  expect(findings.filter((name) => !EXPLAINED.some(({ finding }) => finding.test(name)))).toEqual([]);
  expect(EXPLAINED.filter(({ finding }) => !findings.some((name) => finding.test(name)))).toEqual([]);
}, 60_000);

interface Statement {
  readonly Action: string | string[];
  readonly Resource: unknown;
}

function all(resources: readonly Resource[], type: string): Resource[] {
  return resources.filter(({ Type }) => Type === type);
}

/** Finds the roles of functions: schedules have some too. */
function functionRoles(resources: readonly Resource[]): Resource[] {
  return all(resources, 'AWS::IAM::Role').filter(({ Properties }) =>
    JSON.stringify(Properties['AssumeRolePolicyDocument']).includes('lambda.amazonaws.com'),
  );
}

function only(resources: readonly Resource[], type: string): Resource {
  const [found, ...others] = all(resources, type);
  if (!found || others.length > 0) throw new Error(`There is not exactly one ${type}`);
  return found;
}

function statementsOf({ Properties }: Resource): Statement[] {
  return Properties['Policies'][0].PolicyDocument.Statement;
}

function isLog(action: string | string[]): boolean {
  return [action].flat().every((each) => each.startsWith('logs:'));
}

/** Finds the role of the function that serves a route. */
function roleOf(routeKey: string): Resource {
  const served = all(development, 'AWS::Lambda::Function').find(
    ({ Properties }) => Properties['Description'] === routeKey,
  );
  const role = all(development, 'AWS::IAM::Role').find(
    ({ id }) => id === served?.Properties['Role']['Fn::GetAtt'][0],
  );
  if (!role) throw new Error(`No function serves ${routeKey}`);
  return role;
}
