import { Duration } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  RecursiveLoop,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Needs } from './needs.ts';
import type { Resources } from './resources.ts';

/** API Gateway waits 30 seconds and no longer. */
const CALL_TIME = Duration.seconds(29);

/** The parts of a function. */
export interface FunctionProps {
  readonly description: string;
  /** Its bundle, and the name of its export there. */
  readonly bundle: string;
  readonly handler: string;
  readonly needs: Needs;
  readonly timeout?: Duration;
  /** True if it may send itself messages: Lambda would take that for a mistake, and stop it after sixteen. */
  readonly callsItself?: boolean;
}

/** Adds a function with a log and a role of its own: three resources. */
export function addFunction(
  scope: Construct,
  id: string,
  props: FunctionProps,
  { stage, secrets, bundles, imaging }: Resources,
): LambdaFunction {
  const bundle = bundles.get(props.bundle);
  if (!bundle) throw new Error(`There is no bundle of ${props.bundle}`);
  const rendersImages = bundle.isNative && props.needs.storesFiles;
  const parts = new Construct(scope, id);
  const logGroup = new LogGroup(parts, 'Log', {
    retention: stage.logRetention,
    removalPolicy: stage.removal,
  });
  return new LambdaFunction(parts, 'Function', {
    description: props.description,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    code: Code.fromAsset(bundle.directory),
    handler: `index.${props.handler}`,
    // A vCPU comes with 1769 MB: images need it whole, the rest mostly waits.
    memorySize: rendersImages ? 1769 : 1024,
    timeout: props.timeout ?? CALL_TIME,
    ...(props.callsItself && { recursiveLoop: RecursiveLoop.ALLOW }),
    layers: rendersImages ? [imaging] : [],
    environment: { ...props.needs.settings },
    ...(props.needs.isSecret && { environmentEncryption: secrets.key }),
    logGroup,
    role: new Role(parts, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { Needs: policyOf(props.needs, logGroup) },
    }).withoutPolicyUpdates(),
  });
}

function policyOf({ statements }: Needs, logGroup: LogGroup): PolicyDocument {
  const writesLog = new PolicyStatement({
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: [logGroup.logGroupArn],
  });
  return new PolicyDocument({ statements: [writesLog, ...statements] });
}
