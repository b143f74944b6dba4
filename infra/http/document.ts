/** A function as an API invokes it, with the routes it serves. */
export interface InvokedFunction {
  readonly name: string;
  readonly routeKeys: readonly string[];
}

/**
 * Builds the OpenAPI document of an API with Amazon's extensions: one call of API Gateway's control plane
 * creates all its routes. A resource for each would take a thousand calls, at ten a second. A function with
 * several routes is one integration.
 */
export function apiDocument(
  title: string,
  targets: readonly InvokedFunction[],
  {
    cors,
    uriOf,
    role,
  }: { readonly cors: object; readonly uriOf: (name: string) => string; readonly role: string },
) {
  const operations = targets.flatMap(({ name, routeKeys }) =>
    routeKeys.map((routeKey) => ({ ...placeOf(routeKey), name })),
  );
  const byPath = Map.groupBy(operations, ({ path }) => path);
  return {
    openapi: '3.0.1',
    info: { title, version: '1' },
    'x-amazon-apigateway-cors': cors,
    paths: Object.fromEntries(
      [...byPath].map(([path, found]) => [
        path,
        Object.fromEntries(found.map(({ method, name }) => [method, operationOf(path, name)])),
      ]),
    ),
    components: {
      'x-amazon-apigateway-integrations': Object.fromEntries(
        targets.map(({ name }) => [
          name,
          {
            type: 'aws_proxy',
            httpMethod: 'POST',
            payloadFormatVersion: '2.0',
            uri: uriOf(name),
            credentials: role,
          },
        ]),
      ),
    },
  };
}

function placeOf(routeKey: string) {
  const [method = '', path = ''] = routeKey.split(' ');
  return { path, method: method.toLowerCase() };
}

function operationOf(path: string, name: string) {
  return {
    // The importer warns of undeclared path parameters.
    parameters: [...path.matchAll(/{(.+?)}/g)].map(([, parameter]) => ({
      name: parameter,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    responses: { default: { description: 'Any' } },
    'x-amazon-apigateway-integration': {
      $ref: `#/components/x-amazon-apigateway-integrations/${name}`,
    },
  };
}
