import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Node } from 'constructs';
import * as z from 'zod';

/** The differences between deployments. */
export interface Stage {
  readonly name: string;
  /** True for production, which keeps its data whatever happens to the stack. */
  readonly isProtected: boolean;
  readonly removal: RemovalPolicy;
  readonly logRetention: RetentionDays;
  /** The environment of every function. */
  readonly settings: Readonly<Record<string, string>>;
}

const StageContext = z.object({
  stage: z
    .string()
    .regex(/^[a-z][a-z0-9]{0,19}$/)
    .default('dev'),
  TIME_ZONE: z.string().default('Asia/Tashkent'),
  TOKEN_TTL_DAYS: z.coerce.string().regex(/^\d+$/).default('30'),
});

/** Reads the stage from the command line: `-c stage=production -c TOKEN_TTL_DAYS=7`. */
export function stageOf(node: Node): Stage {
  const { stage, ...settings } = StageContext.parse(
    Object.fromEntries(Object.keys(StageContext.shape).map((name) => [name, node.tryGetContext(name)])),
  );
  const isProtected = stage === 'production';
  return {
    name: stage,
    isProtected,
    removal: isProtected ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    logRetention: isProtected ? RetentionDays.SIX_MONTHS : RetentionDays.ONE_WEEK,
    settings: { ...settings, STAGE: stage },
  };
}
