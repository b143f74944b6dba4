import type * as z from 'zod';
import { Confirmation, givesFile, jsonIn } from '#lib/http/answer.ts';
import type { Metadata } from '#lib/http/endpoint.ts';
import { fieldsOf, type Schema } from './fields.ts';
import type { Operation } from './operations.ts';
import { jsonSchemaOf, type Schemas } from './schemas.ts';
import { parameterAt, responseAt } from './shared.ts';

const SUMMARIES: Readonly<Record<string, string>> = {
  index: 'List',
  show: 'Get one',
  store: 'Create',
  update: 'Edit',
  destroy: 'Delete',
  restore: 'Restore',
};

/** Describes a path with its operations. */
export function pathItem(operations: readonly Operation[], schemas: Schemas) {
  return Object.fromEntries(
    operations.map((operation) => [operation.method.toLowerCase(), describe(operation, schemas)]),
  );
}

function describe(operation: Operation, schemas: Schemas) {
  const { id, noun, verb, metadata } = operation;
  return {
    operationId: id,
    tags: [noun.join(' ')],
    summary: SUMMARIES[verb] ?? sentence(verb),
    description: notesOn(operation),
    ...(metadata.right === 'anyone' && { security: [] }),
    parameters: [
      ...pathParameters(operation),
      ...(metadata.query ? queryParameters(metadata.query) : []),
      parameterAt('Language'),
      ...(metadata.idempotent ? [parameterAt('Idempotency')] : []),
    ],
    ...(metadata.body && { requestBody: requestBody(metadata, metadata.body, schemas) }),
    responses: { 200: success(metadata, schemas), ...refusals(operation) },
  };
}

/** Callers of operations that need no right of a role. */
const WHO: ReadonlyMap<string, string> = new Map([
  ['anyone', 'Open to anyone.'],
  ['signed-in', 'Open to everyone who is signed in.'],
  ['staff', 'Open to directors and employees, whatever their role.'],
  ['at-desk', 'Open to the holder of a POS token.'],
  [
    'external',
    'Open to other systems, by the headers `External-System-Secret-Key` and one that names a company.',
  ],
  ['gateway', 'Open to the payment gateway, by its signature in the header `X-Signature`.'],
]);

function notesOn({ method, metadata, hasMethodOverride }: Operation): string {
  const { right, orRight, note } = metadata;
  const rights = [right, orRight ?? []].flat().map((each) => `\`${each}\``);
  const who = WHO.get(right) ?? `Needs the right ${rights.join(' or ')}.`;
  const override = hasMethodOverride ? ` Also as POST with \`?_method=${method}\`.` : '';
  return `${who}${override}${note === undefined ? '' : `\n\n${note}`}`;
}

function pathParameters({ path, metadata: { params } }: Operation) {
  const described = params ? jsonSchemaOf(params, 'input').properties : {};
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: described?.[name] ?? { type: 'integer', minimum: 1 },
  }));
}

function queryParameters(query: z.ZodType) {
  return fieldsOf(jsonSchemaOf(query, 'input')).map(({ name, schema, isRequired }) => ({
    name,
    in: 'query',
    required: isRequired,
    schema: withoutEmptyDefault(schema),
  }));
}

// A page that fills in defaults would send an empty list, which is one empty value.
function withoutEmptyDefault({ default: usual, ...schema }: Schema): Schema {
  return usual === undefined || (Array.isArray(usual) && usual.length === 0)
    ? schema
    : { ...schema, default: usual };
}

function requestBody({ accepts }: Metadata, body: z.ZodType, schemas: Schemas) {
  const content = accepts
    ? { 'multipart/form-data': { schema: formOf(jsonSchemaOf(body, 'input')) } }
    : { 'application/json': { schema: schemas.referenceTo(body) } };
  return { required: true, content };
}

/** Describes a form's fields under the names that a form sends: `name[ru]`. */
function formOf(schema: Schema) {
  const fields = fieldsOf(schema);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, field.schema])),
    required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  };
}

function success({ answers }: Metadata, schemas: Schemas) {
  if (answers === Confirmation) return responseAt('Confirmation');
  const json = jsonIn(answers);
  const file = givesFile(answers) && { 'application/octet-stream': {} };
  if (!json) return { description: 'The file.', content: { ...file } };
  return {
    description: 'OK',
    content: { 'application/json': { schema: schemas.referenceTo(json) }, ...file },
  };
}

/** Lists the refusals that the operation can meet by its metadata. */
function refusals({ method, path, metadata }: Operation) {
  const { right, query, body, idempotent, limit } = metadata;
  const possible = [
    [400, 'Refused', method !== 'GET'],
    [401, 'Unauthenticated', right !== 'anyone' && right !== 'gateway'],
    [403, 'Forbidden', right !== 'anyone' && right !== 'gateway' && right !== 'signed-in'],
    [404, 'Missing', right === 'gateway' || path.includes('{')],
    [409, 'Conflict', idempotent],
    [422, 'Invalid', query ?? body],
    [429, 'TooMany', limit],
  ] as const;
  return Object.fromEntries(
    possible.filter(([, , isPossible]) => isPossible).map(([status, name]) => [status, responseAt(name)]),
  );
}

function sentence(verb: string): string {
  const words = verb.replaceAll('-', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
