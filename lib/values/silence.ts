import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';

/*
 * Left to itself the SDK waits for ever: a node that dies, or a connection that a frozen function slept
 * through, would cost a call all its time. What is silent for so long is given up, and the SDK tries again on
 * another connection. That is as safe as an answer that is lost: transactions have a token, and single writes
 * a condition. Only silence counts: large files may take their time, and a request may wait for its turn.
 */

/** The table and queues answer within milliseconds. */
export const QUICK_MS = 3000;

/** The bucket thinks for longer about a file. */
export const OF_FILES_MS = 5000;

/** A first packet that is lost is sent again after a second; so that one may be. */
const CONNECTING_MS = 2000;

/** Connections that are kept: more requests at once wait for one. */
export const CONNECTIONS = 50;

const KEPT = { keepAlive: true, maxSockets: CONNECTIONS };

/**
 * Makes the settings of an SDK client's `requestHandler`. The SDK's own limit for connecting counts from when
 * a request begins to wait for a connection; this one from when the connection is begun.
 */
export function giveUpAfter(socketTimeout: number) {
  return { socketTimeout, httpAgent: new ImpatientAgent(KEPT), httpsAgent: new ImpatientSecureAgent(KEPT) };
}

/** Gives up connections that don't come about. */
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
