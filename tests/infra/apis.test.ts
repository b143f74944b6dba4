import { runInNewContext } from 'node:vm';
import { Validator } from '@seriousme/openapi-schema-validator';
import { App, type Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { areaOf } from '#infra/areas.ts';
import { CORS } from '#infra/cors.ts';
import { FORWARD_VIEWER } from '#infra/http/behaviors.ts';
import { REFERENCE_ROUTES } from '#infra/reference/reference-site.ts';
import { type Route, UNSERVED_ROUTES } from '#infra/routes.ts';
import { FirewallStack } from '#infra/stacks/firewall-stack.ts';
import { TILL_ROUTES } from '#infra/till-site.ts';
import { translate } from '#lib/values/message.ts';
import { all, assemble, only, type Resource, stacksOf } from './synthesis.ts';

const Integration = z.object({
  type: z.literal('aws_proxy'),
  httpMethod: z.literal('POST'),
  payloadFormatVersion: z.literal('2.0'),
  uri: z.object({ 'Fn::Sub': z.string() }),
  credentials: z.unknown(),
});

const Body = z.object({
  info: z.object({ title: z.string() }),
  'x-amazon-apigateway-cors': z.unknown(),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        parameters: z.array(z.object({ name: z.string(), in: z.literal('path'), required: z.literal(true) })),
        'x-amazon-apigateway-integration': z.object({ $ref: z.string() }),
      }),
    ),
  ),
  components: z.object({ 'x-amazon-apigateway-integrations': z.record(z.string(), Integration) }),
});

const DOMAIN = {
  DOMAIN: 'api.example.uz',
  CERTIFICATE: 'arn:aws:acm:us-east-1:111122223333:certificate/a',
};

let routes: readonly Route[];
let resources: readonly Resource[];
let apis: readonly z.output<typeof Body>[];

beforeAll(async () => {
  const { routes: found, stack } = await assemble();
  routes = found;
  resources = stacksOf(stack).flatMap((each) => each.resources);
  apis = all(resources, 'AWS::ApiGatewayV2::Api').map(({ Properties }) => Body.parse(Properties['Body']));
});

describe('the APIs', () => {
  test('have a route for every operation, POST for _method, the reference, and each one for the rest', () => {
    const wanted = routes.flatMap(({ path, endpoints, hasMethodOverride }) => [
      ...Object.keys(endpoints).map((method) => `${method} ${path}`),
      ...(hasMethodOverride ? [`POST ${path}`] : []),
    ]);
    expect(
      apis
        .flatMap(operationsOf)
        .map(({ key }) => key)
        .sort(),
    ).toEqual([...wanted, ...REFERENCE_ROUTES, ...apis.flatMap(() => UNSERVED_ROUTES)].sort());
  });

  test('serve the example of a till with -c TILL=on, and nowhere else', async () => {
    const { stack } = await assemble({ TILL: 'on' });
    const served = stacksOf(stack)
      .flatMap((each) => all(each.resources, 'AWS::ApiGatewayV2::Api'))
      .flatMap(({ Properties }) => operationsOf(Body.parse(Properties['Body'])))
      .map(({ key }) => key);
    expect(served).toEqual(expect.arrayContaining([...TILL_ROUTES]));
    expect(apis.flatMap(operationsOf).filter(({ key }) => key.includes('/till'))).toEqual([]);
  });

  test('are valid OpenAPI, and declare each parameter of a path: the importer warns of one that is not', async () => {
    for (const { Properties } of all(resources, 'AWS::ApiGatewayV2::Api')) {
      // It takes a document that can't be sent, too: intrinsic functions are in extensions only.
      expect(await new Validator().validate(Properties['Body'])).toEqual({ valid: true });
      expect(Properties['FailOnWarnings']).toBe(false);
    }
    const undeclared = apis.flatMap(operationsOf).filter(({ key, parameters }) => {
      const named = [...key.matchAll(/{(.+?)}/g)].map(([, name]) => name);
      return named.join() !== parameters.map(({ name }) => name).join();
    });
    expect(undeclared).toEqual([]);
  });

  test('have no two routes that differ in the name of a parameter alone: one would be refused', () => {
    const keys = apis.flatMap(operationsOf).map(({ key }) => key.replaceAll(/{.+?}/g, '{}'));
    const unserved = (apis.length - 1) * UNSERVED_ROUTES.length;
    expect(keys.length - new Set(keys).size).toBe(unserved);
  });

  test('send each route to the live alias of the function that serves it, by its name', () => {
    const names = new Map(
      all(resources, 'AWS::Lambda::Function').map(({ Properties }) => [
        Properties['FunctionName'],
        String(Properties['Description']),
      ]),
    );
    const wrong = apis.flatMap((api) =>
      operationsOf(api).filter(({ key, name }) => {
        const uri = api.components['x-amazon-apigateway-integrations'][name]?.uri['Fn::Sub'] ?? '';
        const serves = names.get(name) ?? '';
        const isServed = serves.split(', ').includes(key) || FIXED.get(key) === serves;
        return !isServed || !uri.endsWith(`:function:${name}:live/invocations`);
      }),
    );
    expect(wrong).toEqual([]);
  });

  test('may invoke the functions of their stage, and no others, without a permission on each', () => {
    expect(all(resources, 'AWS::Lambda::Permission')).toEqual([]);
    const role = all(resources, 'AWS::IAM::Role').find(({ Properties }) =>
      JSON.stringify(Properties['AssumeRolePolicyDocument']).includes('apigateway'),
    );
    const [statement] = role?.Properties['Policies'][0].PolicyDocument.Statement ?? [];
    expect(statement).toMatchObject({ Action: 'lambda:InvokeFunction', Effect: 'Allow' });
    expect(JSON.stringify(statement.Resource)).toContain(':function:retail-dev-*');
    for (const { Properties } of all(resources, 'AWS::Lambda::Function')) {
      const isCalled = !/^(Works off|Follows) /.test(String(Properties['Description']));
      if (isCalled) expect(Properties['FunctionName']).toMatch(/^retail-dev-/);
    }
  });

  test('leave OPTIONS to the gateway, which answers browsers unless a route takes it', () => {
    const taking = apis.flatMap(({ paths }) =>
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods)
          .filter((method) => path === '/$default' || !/^(get|head|post|put|patch|delete)$/.test(method))
          .map((method) => `${method} ${path}`),
      ),
    );
    expect(taking).toEqual([]);
  });

  test('are made by one call each, and answer browsers by themselves', () => {
    expect(all(resources, 'AWS::ApiGatewayV2::Route')).toEqual([]);
    expect(all(resources, 'AWS::ApiGatewayV2::Integration')).toEqual([]);
    const { maxAgeSeconds, ...lists } = CORS;
    for (const api of apis) {
      expect(api['x-amazon-apigateway-cors']).toEqual({ ...lists, maxAge: maxAgeSeconds });
    }
  });

  test('count no metrics of single routes', () => {
    for (const { Properties } of all(resources, 'AWS::ApiGatewayV2::Stage')) {
      expect(Properties['DefaultRouteSettings'].DetailedMetricsEnabled).toBe(false);
    }
  });

  test('let nobody use up sign-ins, imports or uploads for all: no route takes fewer calls than others', () => {
    for (const { Properties } of all(resources, 'AWS::ApiGatewayV2::Stage')) {
      expect(Properties['RouteSettings']).toBeUndefined();
      // The default of an account: less would only be our own bottleneck.
      expect(Properties['DefaultRouteSettings']).toMatchObject({
        ThrottlingRateLimit: 10_000,
        ThrottlingBurstLimit: 5000,
      });
    }
    // These operations are limited per caller, in the function or before it.
    const open = routes.flatMap(({ path, endpoints }) =>
      Object.entries(endpoints)
        .filter(([, { metadata }]) => metadata.limit === undefined)
        .map(([method]) => `${method} ${path}`),
    );
    expect(open.filter((key) => /^POST .*(login|\/import|\/upload-\w+)$/.test(key))).toEqual([]);
  });
});

describe('the content network', () => {
  test('sends each path to the API that has it, and public files to the bucket', () => {
    const config = only(resources, 'AWS::CloudFront::Distribution').Properties['DistributionConfig'];
    const apiAt = (path: string): string => {
      const fits = (pattern: string) => path.startsWith(pattern.slice(0, -1));
      const behavior =
        config.CacheBehaviors.find(({ PathPattern }: { PathPattern: string }) => fits(PathPattern)) ??
        config.DefaultCacheBehavior;
      const origin = config.Origins.find(({ Id }: { Id: string }) => Id === behavior.TargetOriginId);
      return JSON.stringify(origin.DomainName);
    };
    for (const { path } of routes) expect(apiAt(path)).toMatch(new RegExp(`Http${areaOf(path)}Api`));
    expect(apiAt('/docs')).toMatch(/HttpcommonApi/);
    expect(apiAt('/public/brand/a.webp')).toMatch(/FilesBucket/);
  });

  test('keeps no answers, takes every method, passes on every header but Host, and proves itself', () => {
    const config = only(resources, 'AWS::CloudFront::Distribution').Properties['DistributionConfig'];
    const toApis = [config.DefaultCacheBehavior, ...config.CacheBehaviors].filter(
      ({ PathPattern }) => PathPattern !== '/public/*',
    );
    // AWS's own policies: CachingDisabled, AllViewerExceptHostHeader.
    for (const behavior of toApis) {
      expect(behavior).toMatchObject({
        CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
        OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
        ViewerProtocolPolicy: 'https-only',
        FunctionAssociations: [{ EventType: 'viewer-request' }],
      });
      expect(behavior.AllowedMethods).toHaveLength(7);
    }
    const origins = config.Origins.filter((origin: object) => 'CustomOriginConfig' in origin);
    expect(origins).toHaveLength(apis.length);
    for (const origin of origins) {
      expect(origin.CustomOriginConfig).toMatchObject({
        OriginProtocolPolicy: 'https-only',
        OriginReadTimeout: 35,
      });
      const [{ HeaderName, HeaderValue }] = origin.OriginCustomHeaders;
      expect(HeaderName).toBe('x-origin-secret');
      expect(JSON.stringify(HeaderValue)).toMatch(/resolve:secretsmanager:.*SecretsOrigin1/);
    }
  });

  test('keeps no error either, which it would for ten seconds under nothing but the path', () => {
    const { DistributionConfig } = only(resources, 'AWS::CloudFront::Distribution').Properties;
    expect(DistributionConfig.CustomErrorResponses).toEqual(
      [404, 405, 414, 500, 501, 502, 503, 504].map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 })),
    );
  });

  test('tells browsers to come by HTTPS alone, whatever answers, and that pages of any origin may read it', () => {
    const { DistributionConfig } = only(resources, 'AWS::CloudFront::Distribution').Properties;
    const { DefaultCacheBehavior, CacheBehaviors } = DistributionConfig;
    // AWS's own policy with Strict-Transport-Security, and CORS for responses without it: the gateway's
    // errors.
    for (const { ResponseHeadersPolicyId } of [DefaultCacheBehavior, ...CacheBehaviors]) {
      expect(ResponseHeadersPolicyId).toBe('e61eb60c-9c35-4d20-a928-2b84e02af89c');
    }
  });

  test('is deployed before functions cease to believe the secret that it sent, with or without a domain', async () => {
    for (const context of [{}, DOMAIN]) {
      const { stack } = await assemble(context);
      const [main] = stacksOf(stack);
      const answering = (main?.resources ?? []).filter(
        ({ Type, id }) =>
          Type === 'AWS::CloudFormation::Stack' ||
          (Type === 'AWS::Lambda::Function' && !/^(Workers|Follower)/.test(id)),
      );
      expect(answering).toHaveLength(apis.length + 2);
      for (const { DependsOn } of answering) expect(DependsOn).toContain('EdgeNetworkA800B7DE');
    }
  });

  test('has a name in each region of the account for what the whole account sees', () => {
    const global = [
      ...all(resources, 'AWS::CloudFront::OriginAccessControl').map(
        ({ Properties }) => Properties['OriginAccessControlConfig'].Name,
      ),
      ...all(resources, 'AWS::CloudFront::Function').map(({ Properties }) => Properties['Name']),
    ];
    expect(global).toHaveLength(2);
    for (const name of global) expect(JSON.stringify(name)).toContain('AWS::Region');
  });

  test('tells functions who called, whatever the caller says of it', () => {
    const request = { headers: { 'x-viewer-address': { value: '10.0.0.1' }, accept: { value: '*/*' } } };
    const event = { request, viewer: { ip: '2001:db8::7' } };
    const told = runInNewContext(`${FORWARD_VIEWER}; handler(event)`, { event });
    expect(told.headers).toEqual({ 'x-viewer-address': { value: '2001:db8::7' }, accept: { value: '*/*' } });
  });

  test('refuses every call of a closed stage in the words of a refusal that tills know, by one resource', async () => {
    const { stack } = await assemble({ CLOSED: 'true' });
    const closed = stacksOf(stack).flatMap((each) => each.resources);
    const changed = closed.filter((each, index) => JSON.stringify(each) !== JSON.stringify(resources[index]));
    expect(changed.map(({ Type }) => Type)).toEqual(['AWS::CloudFront::Function']);
    const code: string = changed[0]?.Properties['FunctionCode'];
    const answerTo = (method: string, language?: string) => {
      const headers = language === undefined ? {} : { 'accept-language': { value: language } };
      const event = { request: { method, headers }, context: { requestId: 'abc' } };
      return runInNewContext(`${code}; handler(event)`, { event });
    };
    for (const [language, locale] of [
      ['uz-UZ,uz;q=0.9', 'uz'],
      ['uz-Latn', 'oz'],
      ['oz', 'oz'],
      ['ru', 'ru'],
      ['en', 'ru'],
      [undefined, 'ru'],
    ] as const) {
      const { body, ...answer } = answerTo('POST', language);
      expect(answer).toMatchObject({
        statusCode: 503,
        headers: {
          'retry-after': { value: '60' },
          'content-type': { value: 'application/json; charset=utf-8' },
          'access-control-allow-origin': { value: '*' },
          'access-control-expose-headers': { value: expect.stringContaining('Retry-After') },
          'x-request-id': { value: 'abc' },
        },
      });
      expect(JSON.parse(body.data)).toEqual({
        message: translate(locale, { key: 'http.unavailable' }),
        code: 'http.unavailable',
      });
    }
    expect(answerTo('OPTIONS')).toMatchObject({ method: 'OPTIONS' });
  });

  test('has a name of our own if one is given, asks for TLS 1.2 then, and tells it to functions', async () => {
    const { stack } = await assemble(DOMAIN);
    expect(Object.keys(Template.fromStack(stack).findOutputs('Distribution'))).toEqual(['Distribution']);
    const named = stacksOf(stack).flatMap((each) => each.resources);
    expect(only(named, 'AWS::CloudFront::Distribution').Properties['DistributionConfig']).toMatchObject({
      Aliases: ['api.example.uz'],
      ViewerCertificate: { MinimumProtocolVersion: 'TLSv1.2_2021', SslSupportMethod: 'sni-only' },
    });
    const addresses = all(named, 'AWS::Lambda::Function').flatMap(
      ({ Properties }) => Properties['Environment']?.Variables?.ADDRESS ?? [],
    );
    expect(new Set(addresses)).toEqual(new Set(['https://api.example.uz']));
    await expect(assemble({ DOMAIN: 'api.example.uz' })).rejects.toThrow('go together');
  });

  test('stands behind a web ACL if one is given, which a stack in us-east-1 makes', async () => {
    const arn = 'arn:aws:wafv2:us-east-1:111122223333:global/webacl/a/b';
    const { stack } = await assemble({ WEB_ACL: arn });
    const guarded = stacksOf(stack).flatMap((each) => each.resources);
    const { DistributionConfig } = only(guarded, 'AWS::CloudFront::Distribution').Properties;
    expect(DistributionConfig.WebACLId).toBe(arn);
  });

  test('stops an address that calls or signs in too often, in the words of a refusal that tills know', () => {
    const firewall = new FirewallStack(new App({ context: { stage: 'production' } }), 10_000);
    expect(firewall.region).toBe('us-east-1');
    const template = Template.fromStack(firewall);
    const limited = (Limit: number) => ({
      Action: { Block: { CustomResponse: { ResponseCode: 429, CustomResponseBodyKey: 'too-many' } } },
      Statement: { RateBasedStatement: { AggregateKeyType: 'IP', Limit, EvaluationWindowSec: 300 } },
    });
    template.hasResourceProperties('AWS::WAFv2::WebACL', {
      Scope: 'CLOUDFRONT',
      DefaultAction: { Allow: {} },
      Rules: [limited(10_000), limited(300)],
    });
    const [acl] = Object.values(template.findResources('AWS::WAFv2::WebACL'));
    const { CustomResponseBodies, Rules } = acl?.['Properties'] ?? {};
    expect(CustomResponseBodies['too-many'].ContentType).toBe('APPLICATION_JSON');
    expect(JSON.parse(CustomResponseBodies['too-many'].Content)).toMatchObject({
      code: 'http.too_many_requests',
    });
    expect(Rules[0].Action.Block.CustomResponse.ResponseHeaders).toContainEqual({
      Name: 'retry-after',
      Value: '300',
    });
    const signIns = new RegExp(
      Rules[1].Statement.RateBasedStatement.ScopeDownStatement.RegexMatchStatement.RegexString,
    );
    expect(routes.map(({ path }) => path).filter((path) => signIns.test(path))).toEqual([
      '/common/auth/login',
      '/common/auth/pos-login',
    ]);
  });

  test('is warned of when it stands before a stage with data without a web ACL', async () => {
    const warnings = (stack: Stack) =>
      Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('WEB_ACL'));
    expect(warnings((await assemble({ stage: 'uz' })).stack)).toHaveLength(1);
    expect(warnings((await assemble({ DISPOSABLE: 'true' })).stack)).toEqual([]);
    const WEB_ACL = 'arn:aws:wafv2:us-east-1:111122223333:global/webacl/a/b';
    expect(warnings((await assemble({ stage: 'uz', WEB_ACL })).stack)).toEqual([]);
  });
});

const FIXED = new Map([
  ...UNSERVED_ROUTES.map((key) => [key, 'Answers 404, or 405 where another method is served'] as const),
  ...REFERENCE_ROUTES.map((key) => [key, 'Serves the reference: /docs and /openapi.json'] as const),
]);

/** Lists an API's routes with the names of their functions. */
function operationsOf({ paths }: z.output<typeof Body>) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      key: `${method.toUpperCase()} ${path}`,
      parameters: operation.parameters,
      name: operation['x-amazon-apigateway-integration'].$ref.split('/').at(-1) ?? '',
    })),
  );
}
