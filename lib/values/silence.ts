/** A time limit for requests to AWS: the settings of an SDK client's `requestHandler`, in milliseconds. */
export interface SilenceLimit {
  readonly connectionTimeout: number;
  readonly socketTimeout: number;
}

/*
 * Left to itself the SDK waits for ever: a node that dies, or a connection that a frozen function slept
 * through, would cost a call all its time. What is silent for so long is given up, and the SDK tries again on
 * another connection. That is as safe as an answer that is lost: transactions have a token, and single writes
 * a condition. Only silence counts, so that large files may take their time.
 */

/** A first packet that is lost is sent again after a second; so that one may be. */
const CONNECTING_MS = 2000;

/** The table and queues answer within milliseconds. */
export const QUICK: SilenceLimit = { connectionTimeout: CONNECTING_MS, socketTimeout: 3000 };

/** The bucket thinks for longer about a file. */
export const OF_FILES: SilenceLimit = { connectionTimeout: CONNECTING_MS, socketTimeout: 5000 };
