import { once } from 'node:events';
import type { Server } from 'node:http';

/** Has a server listen on the loopback: at a port, or at 0 at any that is free. */
export async function listen(server: Server, port = 0) {
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
