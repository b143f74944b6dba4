import { App } from 'aws-cdk-lib';
import { beforeAll, describe, expect, test } from 'vitest';
import { FirewallStack } from '#infra/stacks/firewall-stack.ts';
import { faultsOf } from './specification.ts';
import { all, only, type Resource, synthesize, synthesized } from './synthesis.ts';

const EVERYTHING = {
  stage: 'production',
  DOMAIN: 'api.example.uz',
  CERTIFICATE: 'arn:aws:acm:us-east-1:111122223333:certificate/a',
  WEB_ACL: 'arn:aws:wafv2:us-east-1:111122223333:global/webacl/a/b',
  CONCURRENCY: '1000',
  WARM: '1',
  TRACING: 'on',
};

let plain: Resource[];

beforeAll(async () => {
  plain = await synthesize();
});

test('every resource of every template is one that CloudFormation takes, with all settings and with none', async () => {
  const firewall = synthesized(new FirewallStack(new App({ context: EVERYTHING }), 2000));
  const resources = [...plain, ...(await synthesize(EVERYTHING)), ...firewall.resources];
  expect(resources.flatMap(faultsOf)).toEqual([]);
});

describe('a resource made wrong on purpose is caught:', () => {
  const distribution = () => structuredClone(only(plain, 'AWS::CloudFront::Distribution'));

  test.each<[string, (config: Record<string, unknown>) => void, string]>([
    ['a property that there is not', (config) => Object.assign(config, { Originz: [] }), 'unknown: Originz'],
    ['one that is missing', (config) => delete config['Enabled'], 'missing: Enabled'],
    ['one of another type', (config) => Object.assign(config, { Enabled: 'true' }), 'no boolean: "true"'],
    [
      'one deep inside',
      (config) => Object.assign(config, { CustomErrorResponses: [{ ErrorCode: 'all' }] }),
      'CustomErrorResponses.0.ErrorCode: no integer',
    ],
  ])('%s', (_, change, fault) => {
    const made = distribution();
    change(made.Properties['DistributionConfig']);
    expect(faultsOf(made)).toEqual([expect.stringContaining(fault)]);
  });

  test('a value that is none of those allowed', () => {
    const logs = structuredClone(all(plain, 'AWS::Logs::LogGroup'));
    for (const { Properties } of logs) Object.assign(Properties, { RetentionInDays: 8 });
    expect(logs.flatMap(faultsOf)).toEqual(logs.map(() => expect.stringContaining('no integer: 8')));
  });
});
