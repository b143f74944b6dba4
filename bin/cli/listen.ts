import { once } from 'node:events';
import type { Server } from 'node:http';

/**
 * Longer than a client keeps a connection. By Node's five seconds, a process that has been busy meanwhile
 * looks at its timers first and hangs up on the very call that has come: ECONNRESET or EPIPE for the caller.
 */
const KEPT_MS = 120_000;

/** Has a server listen on the loopback: at a port, or at 0 at any that is free. */
export async function listen(server: Server, port = 0) {
  server.keepAliveTimeout = KEPT_MS;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  return {
    address: `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : port}`,
    /** Ends it, with the connections that are still open. */
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
