import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Node } from 'constructs';
import * as z from 'zod';
import { FIRST_MINUTE } from './warm.ts';

/** Numbers of two valid secrets: the used one, and the accepted one. */
export type SecretNumbers = readonly [used: string, believed: string];

/** Concurrency that an account must leave unreserved, plus the reservations here, with headroom. */
const RESERVABLE_FROM = 200;

const TwoNumbers = z.coerce
  .string()
  .regex(/^\d+,\d+$/)
  .default('1,2')
  .transform((text): SecretNumbers => {
    const [used = '', believed = ''] = text.split(',');
    return [used, believed];
  })
  .refine(([used, believed]) => used !== believed, 'SECRETS are two different numbers');

const StageContext = z
  .object({
    stage: z
      .string()
      .regex(/^[a-z][a-z0-9]{0,19}$/)
      .default('dev'),
    DISPOSABLE: z.coerce
      .string()
      .pipe(z.enum(['true', 'false']))
      .default('false'),
    TIME_ZONE: z.string().default('Asia/Tashkent'),
    TOKEN_TTL_DAYS: z.coerce.string().regex(/^\d+$/).default('30'),
    // No such host: tariffs can't be paid by card until the address is configured.
    GATEWAY_URL: z.url().default('https://gateway.invalid'),
    DOMAIN: z.hostname().optional(),
    CERTIFICATE: z
      .string()
      .regex(/^arn:aws:acm:us-east-1:/, 'CloudFront takes certificates of us-east-1 only')
      .optional(),
    WEB_ACL: z
      .string()
      .regex(/^arn:aws:wafv2:us-east-1:\d+:global\/webacl\//)
      .optional(),
    FIREWALL: z.coerce.number().int().min(10).optional(),
    TABLE: z
      .string()
      .regex(/^[\w.-]{3,255}$/)
      .optional(),
    TABLE_STREAM: z
      .string()
      .regex(/^[\d-]+T[\d:.]+$/, 'TABLE_STREAM is the label of a stream, 2026-11-21T10:00:00.000')
      .optional(),
    CLOSED: z.coerce
      .string()
      .pipe(z.enum(['true', 'false']))
      .default('false'),
    SECRETS: TwoNumbers,
    GATEWAY_SECRETS: TwoNumbers,
    SEALING_SECRETS: TwoNumbers,
    CONCURRENCY: z.coerce.number().int().min(10).default(10),
    TRACING: z.enum(['on', 'off']).default('off'),
    TILL: z.enum(['on', 'off']).default('off'),
    WARM: z.coerce.number().int().min(0).default(0),
    ALARM_EMAIL: z.email().optional(),
    BUDGET: z.coerce.number().positive().optional(),
  })
  .refine(
    ({ DOMAIN, CERTIFICATE }) => Boolean(DOMAIN) === Boolean(CERTIFICATE),
    'DOMAIN and CERTIFICATE go together',
  )
  .refine(
    ({ TABLE, TABLE_STREAM }) => Boolean(TABLE) === Boolean(TABLE_STREAM),
    'TABLE and TABLE_STREAM go together: npm run restore prints both',
  )
  .refine(
    ({ stage, DISPOSABLE }) => stage !== 'production' || DISPOSABLE === 'false',
    'The stage production is never DISPOSABLE',
  )
  .refine(
    ({ WARM, CONCURRENCY }) => WARM * FIRST_MINUTE.length <= Math.max(0, CONCURRENCY - RESERVABLE_FROM),
    'WARM sets functions aside: ask for more at once, and tell by CONCURRENCY how many the account has',
  )
  .refine(
    ({ BUDGET, ALARM_EMAIL }) => BUDGET === undefined || ALARM_EMAIL !== undefined,
    'BUDGET is told to ALARM_EMAIL: give both',
  );

/** Settings of a deployment. */
export type Stage = Readonly<ReturnType<typeof stageOf>>;

/** Parses the stage from the command line: `-c stage=production -c TOKEN_TTL_DAYS=7`. */
export function stageOf(node: Node) {
  const entries = Object.keys(StageContext.shape).map((name) => [name, node.tryGetContext(name)]);
  const given = StageContext.parse(Object.fromEntries(entries));
  const { stage, DOMAIN, CERTIFICATE, TIME_ZONE, TOKEN_TTL_DAYS, TABLE, TABLE_STREAM } = given;
  const isProtected = given.DISPOSABLE === 'false';
  return {
    name: stage,
    /** True if its data outlive the stack: all stages except those named as disposable. */
    isProtected,
    removal: isProtected ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    logRetention: isProtected ? RetentionDays.SIX_MONTHS : RetentionDays.ONE_WEEK,
    /** Time zone of days. */
    timeZone: TIME_ZONE,
    /** Environment of every function. */
    settings: { TIME_ZONE, TOKEN_TTL_DAYS, STAGE: stage },
    /** Custom domain of the service, with its certificate; without one it has CloudFront's. */
    domain: DOMAIN && CERTIFICATE ? { name: DOMAIN, certificate: CERTIFICATE } : undefined,
    /** Web ACL in front of the service. */
    webAcl: given.WEB_ACL,
    /** Requests that one address may make in five minutes, if this app creates that web ACL. */
    firewallRate: given.FIREWALL,
    /** Restored table with the label of its stream, if it replaces the stack's own. */
    table: TABLE && TABLE_STREAM ? { name: TABLE, stream: TABLE_STREAM } : undefined,
    /** True if requests are rejected at the edge, so that no trade happens. */
    isClosed: given.CLOSED === 'true',
    /** Of the secrets for tokens and for CloudFront. */
    secrets: given.SECRETS,
    /** Of the secrets shared with the payment gateway. */
    gatewaySecrets: given.GATEWAY_SECRETS,
    /**
     * Of the secrets that encrypt webhook secrets in the table: one may go only when no ciphertext uses it.
     */
    sealingSecrets: given.SEALING_SECRETS,
    /** True if the account's concurrency allows reservations. */
    reserves: given.CONCURRENCY >= RESERVABLE_FROM,
    /** True if X-Ray traces requests: some cents for ten thousand of them. */
    traces: given.TRACING === 'on',
    /** True if the example of a till is served. */
    servesTill: given.TILL === 'on',
    /** Provisioned concurrency of each function that a till calls first. */
    warm: given.WARM,
    gatewayUrl: given.GATEWAY_URL,
    /** Mail address notified of alarms. */
    alarmEmail: given.ALARM_EMAIL,
    /** Monthly cost budget of the account, in dollars. */
    budget: given.BUDGET,
  };
}
