import { CfnOutput, Stack } from 'aws-cdk-lib';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { stageOf } from '#infra/stage.ts';
import { errorResponse } from '#lib/http/wire/response.ts';
import { tooManyRequests } from '#lib/values/api-error.ts';

/** Counting window of the web ACL, in seconds. */
const WINDOW_S = 300;

/** Sign-ins of one address per window: a shop whose cashiers take turns at thirty tills. */
const MAX_SIGN_INS = 300;

/** Paths on which anyone may try passwords. */
const SIGN_INS = '^/common/auth/(pos-)?login$';

const { body, headers } = errorResponse(tooManyRequests(WINDOW_S), 'ru');

/** A response in the service's format, which a till understands: CloudFront's own is an HTML page. */
const TOO_MANY = {
  responseCode: 429,
  customResponseBodyKey: 'too-many',
  // Browsers hide a response without these headers.
  responseHeaders: Object.entries({
    'retry-after': headers['retry-after'] ?? '',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'Retry-After',
  }).map(([name, value]) => ({ name, value })),
};

/**
 * Web ACL in front of CloudFront, which accepts those of us-east-1 only, so it is a stack of its own there;
 * its output is passed to the service's stack by `-c WEB_ACL=`. It blocks an address that calls or signs in
 * too often.
 */
export class FirewallStack extends Stack {
  constructor(app: Construct, perFiveMinutes: number) {
    const { name, isProtected } = stageOf(app.node);
    super(app, `retail-${name}-firewall`, {
      description: `Web ACL of the retail back office, ${name}`,
      env: { region: 'us-east-1' },
      terminationProtection: isProtected,
    });
    const visibilityOf = (metricName: string) => ({
      cloudWatchMetricsEnabled: true,
      sampledRequestsEnabled: true,
      metricName: `retail-${name}-${metricName}`,
    });
    const ruleOf = (
      rule: string,
      priority: number,
      counted: Pick<CfnWebACL.RateBasedStatementProperty, 'limit' | 'scopeDownStatement'>,
    ): CfnWebACL.RuleProperty => ({
      name: rule,
      priority,
      action: { block: { customResponse: TOO_MANY } },
      statement: {
        rateBasedStatement: { ...counted, aggregateKeyType: 'IP', evaluationWindowSec: WINDOW_S },
      },
      visibilityConfig: visibilityOf(rule),
    });
    const acl = new CfnWebACL(this, 'WebAcl', {
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: visibilityOf('all'),
      customResponseBodies: {
        [TOO_MANY.customResponseBodyKey]: { contentType: 'APPLICATION_JSON', content: body },
      },
      rules: [
        ruleOf('address', 0, { limit: perFiveMinutes }),
        ruleOf('sign-ins', 1, {
          limit: MAX_SIGN_INS,
          scopeDownStatement: {
            regexMatchStatement: {
              regexString: SIGN_INS,
              fieldToMatch: { uriPath: {} },
              textTransformations: [{ priority: 0, type: 'URL_DECODE' }],
            },
          },
        }),
      ],
    });
    new CfnOutput(this, 'WebAclArn', { value: acl.attrArn });
  }
}
