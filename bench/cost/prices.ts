/**
 * Public prices of AWS in dollars, Northern Virginia (us-east-1), on demand, without free tiers and
 * discounts, as of 21 November 2026. Frankfurt costs some 20 % more. Sources: the pricing pages of DynamoDB,
 * Lambda, API Gateway, CloudFront, CloudWatch, Secrets Manager, KMS and SQS.
 */
export const PRICES = {
  table: {
    /** A write of up to 1 KB; double in a transaction. */
    write_unit: 0.625 / 1e6,
    /** A strongly consistent read of up to 4 KB. */
    read_unit: 0.125 / 1e6,
    /** A gigabyte for a month, with point-in-time recovery. */
    stored_gb: 0.25 + 0.2,
  },
  functions: {
    call: 0.2 / 1e6,
    /** Of an arm64 function. */
    gb_second: 0.0000133334,
    /** Provisioned concurrency of an arm64 function, called or not. */
    warm_gb_second: 0.0000033334,
  },
  gateway: { call: 1 / 1e6 },
  edge: {
    /** HTTPS, Europe, from where Central Asia is served; North America is 1.00. */
    call: 1.2 / 1e6,
    /** CloudFront function that passes the caller's address. */
    viewer: 0.1 / 1e6,
    given_gb: 0.085,
    /** Traffic to the gateway: bodies of requests. */
    sent_gb: 0.02,
  },
  logs: {
    written_gb: 0.5,
    /** A gigabyte for a month, as billed: compressed to less than a fifth. */
    stored_gb: 0.03,
  },
  /** Monthly fees without requests. */
  month: {
    /** For each metric of an alarm. */
    alarm_metric: 0.1,
    /** A metric extracted from the log, if it is written in each hour. */
    metric: 0.3,
    dashboard: 3,
    secret: 0.4,
    key: 1,
    schedule_call: 1 / 1e6,
    queue_poll: 0.4 / 1e6,
  },
} as const;

/** Configuration of a function, and assumptions about AWS: the only figures here that are not measured. */
export const ASSUMED = {
  memory_gb: 1,
  /** A function of 1 024 MB has 1 024 / 1 769 of a processor. */
  processor: 1024 / 1769,
  /** A round trip to the table, in milliseconds. */
  round_trip_ms: 6,
  /** A line of the gateway's access log, beside the function's. */
  access_line_bytes: 330,
  /** Production retains its logs for six months. */
  log_months: 6,
  /** Stored share of a log, which is compressed. */
  log_stored: 0.15,
  /** Error codes in a month: each is a metric of its own. */
  refusal_codes: 20,
} as const;
