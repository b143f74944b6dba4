import type { App, IPolicyValidationPlugin, PolicyValidationPluginReport } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';

/** Findings of cdk-nag that we accept, and why. */
export const EXPLAINED = [
  {
    finding: /^AwsSolutions-APIG4$/,
    reason:
      'Functions authorize calls themselves: an authorizer would read the caller once more and could not tell the rights, which are in the records that the call reads anyway.',
  },
  {
    finding: /^AwsSolutions-IAM5\[Resource::<\w*FilesBucket\w*\.?Arn>\/(public|exports|incoming)\/\*\]$/,
    reason: 'Keys are made anew for each file: a role can only be held to their folder.',
  },
  {
    finding: /^AwsSolutions-SMG4$/,
    reason: 'A new signing secret ends every session. It is changed by hand when it may have become known.',
  },
  {
    finding: /^AwsSolutions-CFR1$/,
    reason: 'The files are pictures of goods, for anyone anywhere.',
  },
  {
    finding: /^AwsSolutions-CFR2$/,
    reason: 'It serves immutable files from a bucket and runs nothing that a firewall could protect.',
  },
  {
    finding: /^AwsSolutions-CFR4$/,
    reason:
      "The distribution has CloudFront's own domain, whose certificate sets the protocol; a domain of ours would bring a certificate with TLS 1.2.",
  },
] as const;

/** Makes cdk-nag's checks of AWS's own solutions: a synthesis fails on each finding that is not explained. */
export function unexplainedFindings(app: App): IPolicyValidationPlugin {
  const checks = new AwsSolutionsChecks(app);
  return { name: checks.name, validate: (context) => withoutRefusals(checks.validate(context)) };
}

function withoutRefusals(report: PolicyValidationPluginReport): PolicyValidationPluginReport {
  const violations = report.violations.filter(
    ({ ruleName }) => !EXPLAINED.some(({ finding }) => finding.test(ruleName)),
  );
  return { ...report, violations, success: violations.length === 0 };
}
