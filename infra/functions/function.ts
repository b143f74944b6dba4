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

/** API Gateway waits 30 seconds and no longer. */
const CALL_TIME = Duration.seconds(29);

/** The parts of a function. */
export interface FunctionProps {
  /** Its name, if others must know it before it is made; otherwise CloudFormation gives it one. */
  readonly name?: string;
  readonly description: string;
  /** Its bundle, and the name of its export there. */
  readonly bundle: string;
  readonly handler: string;
  readonly needs: Permissions;
  readonly timeout?: Duration;
  /** True if it may send itself messages: Lambda would take that for a mistake, and stop it after sixteen. */
  readonly callsItself?: boolean;
  /** How many of it stand ready before anyone calls. */
  readonly warm?: number;
  /** How many of it may run at once, set aside for it and no more. */
  readonly reserved?: number;
}

/**
 * Adds a function, and answers with its live alias. It shares its role with all functions of the same needs,
 * and its log with all.
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
    // A vCPU comes with 1769 MB: images need it whole, the rest mostly waits.
    memorySize: rendersImages ? 1769 : 1024,
    timeout: props.timeout ?? CALL_TIME,
    ...(props.callsItself && { recursiveLoop: RecursiveLoop.ALLOW }),
    ...(props.reserved !== undefined && { reservedConcurrentExecutions: props.reserved }),
    layers: rendersImages ? [imaging] : [],
    environment: { ...props.needs.settings, ...Object.fromEntries(secretSettings) },
    ...(secretSettings.length > 0 && { environmentEncryption: secrets.key }),
    logGroup: log,
    // Each call writes one line by itself: START, END and REPORT in text would be twice as much again.
    loggingFormat: LoggingFormat.JSON,
    systemLogLevelV2: SystemLogLevel.WARN,
    role: roleFor(props.needs),
    ...(stage.traces && { tracing: Tracing.ACTIVE }),
    // Earlier versions stay, to be pointed back at. One of an update that failed goes: Lambda would
    // publish no other of the same code, and so the same commit could never be deployed again.
    currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
  });
  return made.addAlias(LIVE, props.warm ? { provisionedConcurrentExecutions: props.warm } : {});
}
