import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';

/*
 * Socket timeouts. By default the SDK waits forever: a dead node, or a connection that closed while the
 * function was frozen, would cost a call all its time. After the timeout the SDK retries on another
 * connection. That is as safe as a lost response: transactions have a token, and single writes a condition.
 * The timeout is for idle sockets: large transfers may take their time, and requests may wait for a
 * connection.
 */

/** The table and queues respond within milliseconds. */
export const QUICK_MS = 3000;

/** The bucket takes longer for a file. */
export const OF_FILES_MS = 5000;

/** A program of an operator has no deadline: a service that is busy for a while must not end it. */
export const PATIENT_MS = 20_000;

/** A lost first packet is resent after a second; this leaves time for that. */
const CONNECTING_MS = 2000;

/** Pooled connections: further concurrent requests wait for one. */
export const CONNECTIONS = 50;

const POOL = { keepAlive: true, maxSockets: CONNECTIONS };

/**
 * Returns the options of an SDK client's `requestHandler`. The SDK's own connection timeout starts when a
 * request begins to wait for a connection; this one starts with the connection.
 */
export function giveUpAfter(socketTimeout: number) {
  return { socketTimeout, httpAgent: new ImpatientAgent(POOL), httpsAgent: new ImpatientSecureAgent(POOL) };
}

/** Agent that destroys connections that are not established in time. */
export class ImpatientAgent extends Agent {
  override createConnection(...given: Parameters<Agent['createConnection']>) {
    return limitConnecting(super.createConnection(...given));
  }
}

class ImpatientSecureAgent extends SecureAgent {
  override createConnection(...given: Parameters<SecureAgent['createConnection']>) {
    return limitConnecting(super.createConnection(...given));
  }
}

type Connection = ReturnType<Agent['createConnection']>;

function limitConnecting(connection: Connection): Connection {
  const timer = setTimeout(() => {
    connection?.destroy(Object.assign(new Error('The connection did not come about'), { code: 'ETIMEDOUT' }));
  }, CONNECTING_MS);
  for (const end of ['connect', 'close']) connection?.once(end, () => clearTimeout(timer));
  return connection;
}
