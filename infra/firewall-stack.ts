import { CfnOutput, Stack } from 'aws-cdk-lib';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { stageOf } from './stage.ts';

/**
 * The web ACL before the content network. CloudFront takes those of us-east-1 only, so it is a stack of its
 * own there; its output goes into the service's stack by `-c WEB_ACL=`. It stops an address that calls too
 * often.
 */
export class FirewallStack extends Stack {
  constructor(app: Construct, perFiveMinutes: number) {
    const { name, isProtected } = stageOf(app.node);
    super(app, `retail-${name}-firewall`, {
      description: `Web ACL of the retail back office, ${name}`,
      env: { region: 'us-east-1' },
      terminationProtection: isProtected,
    });
    const seen = (metricName: string) => ({
      cloudWatchMetricsEnabled: true,
      sampledRequestsEnabled: true,
      metricName: `retail-${name}-${metricName}`,
    });
    const acl = new CfnWebACL(this, 'WebAcl', {
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: seen('all'),
      rules: [
        {
          name: 'address',
          priority: 0,
          action: { block: {} },
          statement: {
            rateBasedStatement: { aggregateKeyType: 'IP', limit: perFiveMinutes, evaluationWindowSec: 300 },
          },
          visibilityConfig: seen('address'),
        },
      ],
    });
    new CfnOutput(this, 'WebAclArn', { value: acl.attrArn });
  }
}
