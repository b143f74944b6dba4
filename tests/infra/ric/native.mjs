import { request } from 'node:http';
import Module from 'node:module';

/*
 * Stands in for the native part of AWS's runtime client, which is libcurl around these three calls of
 * Lambda's Runtime API. Preloaded by `--import`.
 */

const [hostname, port] = (process.env.AWS_LAMBDA_RUNTIME_API ?? '').split(':');

function call(method, path, body, headers = {}) {
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, method, headers, path: `/2018-06-01/runtime/${path}` },
      (response) => {
        let bodyJson = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => {
          bodyJson += chunk;
        });
        response.on('end', () => resolve({ bodyJson, headers: response.headers }));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

const native = {
  initializeClient: () => {},
  next: () => call('GET', 'invocation/next'),
  done: (id, body) => void call('POST', `invocation/${id}/response`, body),
  error: (id, body) => void call('POST', `invocation/${id}/error`, body),
};

const load = Module._load;
Module._load = function (name, ...rest) {
  return name === './rapid-client.node' ? native : load.call(this, name, ...rest);
};
