import { type IRole, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Needs } from './needs.ts';

/**
 * Gives out roles, one for each kind of need. An account has a thousand, and most functions need the same as
 * some other: a role for each would tell nothing more.
 */
export function roles(scope: Construct, log: LogGroup): (needs: Needs) => IRole {
  const parts = new Construct(scope, 'Roles');
  const made = new Map<string, IRole>();
  return (needs) => {
    const role = made.get(needs.kind) ?? newRole(parts, needs, log);
    made.set(needs.kind, role);
    return role;
  };
}

function newRole(scope: Construct, { kind, statements }: Needs, log: LogGroup): IRole {
  const writesLog = new PolicyStatement({
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: [log.logGroupArn],
  });
  return new Role(scope, kind, {
    description: `Functions of the retail back office: ${kind}`,
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: { Needs: new PolicyDocument({ statements: [writesLog, ...statements] }) },
    // What a function needs is all in its kind: constructs that get the role may add nothing.
  }).withoutPolicyUpdates();
}
