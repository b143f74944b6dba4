import type { App, IPolicyValidationPlugin, PolicyValidationPluginReport } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';

/** Accepted findings of cdk-nag, with their reasons. */
export const NAG_SUPPRESSIONS = [
  {
    finding: /^AwsSolutions-IAM5\[Resource::<\w*FilesBucket\w*\.?Arn>\/(public|exports|incoming)\/\*\]$/,
    reason: 'Keys are made anew for each file: a role can only be held to their folder.',
  },
  {
    finding: /^AwsSolutions-IAM5\[Resource::<\w*FilesBucket\w*\.?Arn>\/aws\/lambda\/\*\]$/,
    reason: 'Lambda chooses the names under which it puts aside what of the stream could not be followed.',
  },
  {
    finding: /^AwsSolutions-IAM5\[Resource::arn:.*:lambda:.*:function:retail-\w+-\*\]$/,
    reason: 'The APIs invoke all functions of their stage and no others: all these names begin alike.',
  },
  {
    finding: /^AwsSolutions-SMG4$/,
    reason: 'A secret is changed by its number, in two steps if nobody is to notice: docs/deployment.md.',
  },
  {
    finding: /^AwsSolutions-CFR1$/,
    reason: 'Owners look at their shops from wherever they are.',
  },
  {
    finding: /^AwsSolutions-CFR2$/,
    reason:
      'A web ACL costs money every month: it is made by -c FIREWALL= and put before all this by -c WEB_ACL=.',
  },
  {
    finding: /^AwsSolutions-CFR4$/,
    reason:
      "Without -c DOMAIN= the distribution has CloudFront's own name, whose certificate sets the protocol; with a domain it asks for TLS 1.2.",
  },
] as const;

/** Returns cdk-nag's AWS Solutions checks: synthesis fails on each finding that is not suppressed. */
export function nagChecks(app: App): IPolicyValidationPlugin {
  const checks = new AwsSolutionsChecks(app);
  return { name: checks.name, validate: (context) => withoutRefusals(checks.validate(context)) };
}

function withoutRefusals(report: PolicyValidationPluginReport): PolicyValidationPluginReport {
  const violations = report.violations.filter(
    ({ ruleName }) => !NAG_SUPPRESSIONS.some(({ finding }) => finding.test(ruleName)),
  );
  return { ...report, violations, success: violations.length === 0 };
}
