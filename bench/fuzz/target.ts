import type { Schema } from '#infra/reference/descriptions/fields.ts';
import { jsonSchemaOf } from '#infra/reference/schemas.ts';
import type { Route } from '#infra/routes.ts';
import type { Metadata } from '#lib/http/definition/definition.ts';
import { respondsWithFile } from '#lib/http/wire/response.ts';

/** A schema without constraints. */
export const EMPTY: Schema = {};

/** An operation, with its schemas as JSON Schema. */
export interface FuzzTarget {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly metadata: Metadata;
  readonly query: Schema;
  readonly body: Schema | undefined;
  /** True for images and workbooks, which may take longer. */
  readonly isHeavy: boolean;
}

/** Lists all operations. */
export function fuzzTargetsOf(routes: readonly Route[]): FuzzTarget[] {
  return routes.flatMap(({ path, endpoints }) =>
    Object.entries(endpoints).map(([method, { metadata }]) => ({
      name: `${method} ${path}`,
      method,
      path,
      metadata,
      query: metadata.query ? jsonSchemaOf(metadata.query, 'parameter') : EMPTY,
      body: metadata.body && jsonSchemaOf(metadata.body, 'body'),
      isHeavy: metadata.accepts === 'multipart' || respondsWithFile(metadata.response),
    })),
  );
}
