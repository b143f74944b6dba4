import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Bundles } from '#infra/bundle/bundle-functions.ts';
import { all, type Resource, type Synthesized } from './synthesis.ts';

/** AWS quota: its subject, limit, source, and the service's usage. */
export interface Quota {
  readonly name: string;
  readonly most: number;
  readonly source: string;
  /** Finds the largest value in a deployment. */
  readonly of: (deployment: Deployment) => number;
}

/** Stacks and bundles that `cdk deploy` would deploy. */
export interface Deployment {
  readonly stacks: readonly Synthesized[];
  readonly bundles: Bundles;
}

const HTTP_API = 'docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html';
const API_ACCOUNT = 'docs.aws.amazon.com/apigateway/latest/developerguide/limits.html';
const FORMATION = 'docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html';
const LAMBDA = 'docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html';
const IAM = 'docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html';
const CLOUDFRONT = 'docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html';
const S3 = 'docs.aws.amazon.com/AmazonS3/latest/userguide/bucket-policies.html';
const SQS = 'docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-policies.html';
const LAYER = join(import.meta.dirname, '../../infra/layers/sharp');

/** All quotas that apply, with their default values: no increase is needed. */
export const QUOTAS: readonly Quota[] = [
  { name: 'routes an API', most: 300, source: HTTP_API, of: (given) => largest(bodies(given), routesIn) },
  {
    name: 'integrations an API',
    most: 300,
    source: HTTP_API,
    of: (given) => largest(bodies(given), integrationsIn),
  },
  {
    name: 'bytes of an access log line’s template',
    most: 3072,
    source: HTTP_API,
    of: (given) =>
      largest(typed(given, 'AWS::ApiGatewayV2::Stage'), (stage) => bytes(stage['AccessLogSettings'].Format)),
  },
  { name: 'APIs an account', most: 600, source: API_ACCOUNT, of: (given) => bodies(given).length },
  // Ten a second, forty at once: an API and a stage are a call each, and CloudFormation polls both again.
  {
    name: 'calls of API Gateway’s control plane at once',
    most: 40,
    source: API_ACCOUNT,
    of: (given) => 2 * resourcesOf(given).filter(({ Type }) => Type.startsWith('AWS::ApiGateway')).length,
  },
  {
    name: 'resources a stack',
    most: 500,
    source: FORMATION,
    of: ({ stacks }) => largest(stacks, ({ resources }) => resources.length),
  },
  {
    name: 'parameters a stack',
    most: 200,
    source: FORMATION,
    of: ({ stacks }) => largest(stacks, ({ parameters }) => parameters),
  },
  {
    name: 'outputs a stack',
    most: 200,
    source: FORMATION,
    of: ({ stacks }) => largest(stacks, ({ outputs }) => outputs),
  },
  {
    name: 'dynamic references a template',
    most: 60,
    source: 'docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/dynamic-references.html',
    of: ({ stacks }) => largest(stacks, ({ dynamicReferences }) => dynamicReferences),
  },
  {
    name: 'bytes of a template',
    most: 1_000_000,
    source: FORMATION,
    of: ({ stacks }) => largest(stacks, (stack) => stack.bytes),
  },
  {
    name: 'letters of a resource’s name',
    most: 255,
    source: FORMATION,
    of: (given) => largest(resourcesOf(given), ({ id }) => id.length),
  },
  { name: 'stacks an account', most: 2000, source: FORMATION, of: ({ stacks }) => stacks.length },
  { name: 'roles an account', most: 1000, source: IAM, of: (given) => typed(given, 'AWS::IAM::Role').length },
  {
    name: 'letters of a role’s policies',
    most: 10_240,
    source: IAM,
    of: (given) => largest(typed(given, 'AWS::IAM::Role'), (role) => worst(role['Policies'] ?? [])),
  },
  {
    name: 'letters of a trust policy',
    most: 2048,
    source: IAM,
    of: (given) => largest(typed(given, 'AWS::IAM::Role'), (role) => worst(role['AssumeRolePolicyDocument'])),
  },
  {
    name: 'bytes of a function’s environment',
    most: 4096,
    source: LAMBDA,
    of: (given) => largest(functions(given), ({ Environment }) => worst(Environment?.Variables ?? {})),
  },
  {
    name: 'letters of a function’s name',
    most: 64,
    source: LAMBDA,
    of: (given) => largest(functions(given), ({ FunctionName }) => String(FunctionName ?? '').length),
  },
  {
    name: 'letters of a function’s description',
    most: 256,
    source: LAMBDA,
    of: (given) => largest(functions(given), ({ Description }) => String(Description ?? '').length),
  },
  {
    name: 'layers a function',
    most: 5,
    source: LAMBDA,
    of: (given) => largest(functions(given), ({ Layers }) => (Layers ?? []).length),
  },
  {
    name: 'bytes of a package with its layer',
    most: 250 * 1024 * 1024,
    source: LAMBDA,
    of: ({ bundles }) => largest([...bundles.values()], ({ directory }) => weigh(directory)) + weigh(LAYER),
  },
  // The last ten versions of all code, as deployments leave the old ones until they have succeeded.
  {
    name: 'bytes of all packages, ten times over',
    most: 75 * 1024 ** 3,
    source: LAMBDA,
    of: (given) =>
      10 *
      functions(given).length *
      largest([...given.bundles.values()], ({ directory }) => weigh(directory)),
  },
  {
    name: 'calls of Lambda’s control plane a second',
    most: 15,
    source: LAMBDA,
    of: (given) => (4 * largest(given.stacks, widthOf)) / 5,
  },
  {
    name: 'behaviours of the distribution',
    most: 25,
    source: CLOUDFRONT,
    of: (given) => network(given).CacheBehaviors.length + 1,
  },
  {
    name: 'origins of the distribution',
    most: 25,
    source: CLOUDFRONT,
    of: (given) => network(given).Origins.length,
  },
  {
    name: 'bytes of an edge function',
    most: 10_240,
    source: CLOUDFRONT,
    of: (given) => largest(typed(given, 'AWS::CloudFront::Function'), (edge) => bytes(edge['FunctionCode'])),
  },
  {
    name: 'bytes of a bucket’s policy',
    most: 20_480,
    source: S3,
    of: (given) =>
      largest(typed(given, 'AWS::S3::BucketPolicy'), (policy) => worst(policy['PolicyDocument'])),
  },
  {
    name: 'seconds that a message is hidden',
    most: 43_200,
    source: SQS,
    of: (given) =>
      largest(typed(given, 'AWS::SQS::Queue'), ({ VisibilityTimeout }) => VisibilityTimeout ?? 0),
  },
];

function resourcesOf({ stacks }: Deployment): Resource[] {
  return stacks.flatMap(({ resources }) => resources);
}

function typed(deployment: Deployment, type: string): Resource['Properties'][] {
  return all(resourcesOf(deployment), type).map(({ Properties }) => Properties);
}

function functions(deployment: Deployment) {
  return typed(deployment, 'AWS::Lambda::Function');
}

function bodies(deployment: Deployment) {
  return typed(deployment, 'AWS::ApiGatewayV2::Api').map(({ Body }) => Body);
}

function network(deployment: Deployment) {
  const [found] = typed(deployment, 'AWS::CloudFront::Distribution');
  return found?.['DistributionConfig'];
}

function routesIn({ paths }: Resource['Properties']): number {
  return Object.values(paths).flatMap((methods) => Object.keys(Object(methods))).length;
}

function integrationsIn({ components }: Resource['Properties']): number {
  return Object.keys(components['x-amazon-apigateway-integrations']).length;
}

/** Counts the functions of a stack without a dependency on another function: these are created at once. */
function widthOf({ resources }: Synthesized): number {
  // One depends on another's alias, which is created last.
  const ids = new Set(all(resources, 'AWS::Lambda::Alias').map(({ id }) => id));
  return all(resources, 'AWS::Lambda::Function').filter(
    (each) => ![each['DependsOn'] ?? []].flat().some((id) => ids.has(String(id))),
  ).length;
}

function largest<T>(items: readonly T[], size: (item: T) => number): number {
  return Math.max(0, ...items.map(size));
}

function bytes(text: string): number {
  return Buffer.byteLength(text);
}

/** Maximum length of a value known only at deployment: an ARN, an address, a secret. */
const LONGEST = 160;

/** Measures a property as deployed: with the longest texts in the places of references. */
function worst(value: unknown): number {
  return bytes(JSON.stringify(filled(value)));
}

function filled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(filled);
  if (typeof value !== 'object' || value === null) return value;
  const [[name, inner] = ['', undefined], ...others] = Object.entries(value);
  if (others.length === 0 && (name === 'Ref' || name.startsWith('Fn::'))) {
    // A joined text is a path after one reference, or a secret.
    const parts = name === 'Fn::Join' && Array.isArray(inner) ? inner[1] : [];
    const fixed = Array.isArray(parts) ? parts.filter((part) => typeof part === 'string').join('') : '';
    return 'x'.repeat(fixed.includes('resolve:') ? 64 : LONGEST + fixed.length);
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each)]));
}

const weights = new Map<string, number>();

function weigh(directory: string): number {
  const known = weights.get(directory);
  if (known !== undefined) return known;
  const sum = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((total, entry) => total + statSync(join(entry.parentPath, entry.name)).size, 0);
  weights.set(directory, sum);
  return sum;
}
