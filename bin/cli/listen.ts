import { once } from 'node:events';
import type { Server } from 'node:http';

/**
 * Longer than clients keep a connection alive. With Node's five seconds, a busy process handles its timers
 * first and closes the connection of a request that has just arrived: ECONNRESET or EPIPE for the caller.
 */
const KEEP_ALIVE_MS = 120_000;

/** Starts a server on the loopback at a port, or at any free one for 0. */
export async function listen(server: Server, port = 0) {
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  return {
    address: `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : port}`,
    /** Stops it and closes open connections. */
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
