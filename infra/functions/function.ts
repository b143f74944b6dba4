import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  type Alias,
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { LIVE } from '#infra/function-name.ts';
import { secretReference } from '#infra/resources/secrets.ts';
import type { Resources } from './resources.ts';
import type { Permissions } from './roles.ts';

/** API Gateway times out after 30 seconds. */
const CALL_TIME = Duration.seconds(29);

/** Properties of a function. */
export interface FunctionProps {
  /** Its name, if it must be known before creation; otherwise CloudFormation generates one. */
  readonly name?: string;
  readonly description: string;
  /** Its bundle, and the export there. */
  readonly bundle: string;
  readonly handler: string;
  readonly needs: Permissions;
  readonly timeout?: Duration;
  /**
   * True if it may enqueue messages to itself: Lambda would treat that as an accidental loop and stop it
   * after sixteen.
   */
  readonly callsItself?: boolean;
  /** Provisioned concurrency. */
  readonly warm?: number;
  /** Reserved concurrency. */
  readonly reserved?: number;
}

/**
 * Adds a function and returns its live alias. Functions with the same permissions share a role; all share a
 * log.
 */
export function addFunction(
  scope: Construct,
  id: string,
  props: FunctionProps,
  { stage, secrets, bundles, imaging, log, roleFor }: Resources,
): Alias {
  const bundle = bundles.get(props.bundle);
  if (!bundle) throw new Error(`There is no bundle of ${props.bundle}`);
  const rendersImages = bundle.isNative && props.needs.storesFiles;
  const secretSettings = Object.entries(props.needs.secrets).map(
    ([name, secret]) => [name, secretReference(scope, secret)] as const,
  );
  const made = new LambdaFunction(scope, id, {
    ...(props.name !== undefined && { functionName: props.name }),
    description: props.description,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    code: Code.fromAsset(bundle.directory),
    handler: `index.${props.handler}`,
    // A vCPU comes with 1769 MB: rendering images needs all of it, other functions are I/O-bound.
    memorySize: rendersImages ? 1769 : 1024,
    timeout: props.timeout ?? CALL_TIME,
    ...(props.callsItself && { recursiveLoop: RecursiveLoop.ALLOW }),
    ...(props.reserved !== undefined && { reservedConcurrentExecutions: props.reserved }),
    layers: rendersImages ? [imaging] : [],
    environment: { ...props.needs.settings, ...Object.fromEntries(secretSettings) },
    ...(secretSettings.length > 0 && { environmentEncryption: secrets.key }),
    logGroup: log,
    // Each request logs one line of its own: START, END and REPORT as text would triple the volume.
    loggingFormat: LoggingFormat.JSON,
    systemLogLevelV2: SystemLogLevel.WARN,
    role: roleFor(props.needs),
    ...(stage.traces && { tracing: Tracing.ACTIVE }),
    // Earlier versions are retained for rollback. A version of a failed update is removed: Lambda publishes
    // no second version of the same code, so the same commit could never be deployed again.
    currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
  });
  return made.addAlias(LIVE, props.warm ? { provisionedConcurrentExecutions: props.warm } : {});
}
