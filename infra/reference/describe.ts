import type * as z from 'zod';
import { isForPrograms } from '#lib/auth/keys/program.ts';
import { isStrict } from '#lib/http/steps/body.ts';
import { fieldsOf, isFile, type Schema } from './descriptions/fields.ts';
import { nounOf } from './descriptions/sentences.ts';
import summaries from './descriptions/summaries.json' with { type: 'json' };
import { exampleOf } from './examples.ts';
import { operationResponses } from './operation-responses.ts';
import type { OperationObject } from './operations.ts';
import { endpointParameters } from './parameters.ts';
import { jsonSchemaOf, type Schemas } from './schemas.ts';

/** Summaries by verb, for operations without one in `summaries.json`. */
const SUMMARIES: Readonly<Record<string, string>> = {
  index: 'List',
  show: 'Get one',
  store: 'Create',
  update: 'Edit',
  patch: 'Edit some fields',
  destroy: 'Delete',
  restore: 'Restore',
};

/** Summaries by operation id. */
const OWN_SUMMARIES: Readonly<Record<string, string>> = summaries;

/** Describes a path with its operations. */
export function pathItem(operations: readonly OperationObject[], schemas: Schemas) {
  return Object.fromEntries(
    operations.map((operation) => [operation.method.toLowerCase(), describe(operation, schemas)]),
  );
}

function describe(operation: OperationObject, schemas: Schemas) {
  const { id, noun, verb, metadata } = operation;
  return {
    operationId: id,
    tags: [noun.join(' ')],
    summary: OWN_SUMMARIES[id] ?? SUMMARIES[verb] ?? sentence(verb),
    description: notesOn(operation),
    ...deprecationOf(metadata),
    ...rightsOn(metadata),
    ...(isForPrograms(operation.path, operation.metadata.right) && {
      security: [{ bearer: [] }, { programKey: [] }],
    }),
    ...(metadata.right === 'anyone' && { security: [] }),
    ...(metadata.right === 'external' && { security: [{ systemKey: [] }] }),
    ...(metadata.right === 'gateway' && { security: [{ signature: [] }] }),
    parameters: endpointParameters(operation),
    ...(metadata.body && { requestBody: requestBody(operation, metadata.body, schemas) }),
    responses: operationResponses(operation, schemas),
  };
}

/** Marks a deprecated operation, with its days. Part 5, 5B.13, 3. */
function deprecationOf({ deprecated }: OperationObject['metadata']) {
  if (!deprecated) return {};
  const { since, until } = deprecated;
  return { deprecated: true, 'x-deprecated': { since, until } };
}

/** Names the right of an operation, null if it asks for none, and those for parts of it. Part 5, 5B.2, 2. */
function rightsOn({ right, andRight, mayNeed = {} }: OperationObject['metadata']) {
  const further = { ...(andRight && { [andRight]: null }), ...mayNeed };
  const more = Object.entries(further).map(([each, field]) => ({ right: each, field }));
  return { 'x-right': right.includes('.') ? right : null, ...(more.length > 0 && { 'x-more-rights': more }) };
}

/** Access to operations that require no right of a role. */
const ACCESS: ReadonlyMap<string, string> = new Map([
  ['anyone', 'No authentication required.'],
  ['signed-in', 'Available to all signed-in users.'],
  ['staff', 'Available to directors and employees regardless of role.'],
  ['at-desk', 'Available with a POS token.'],
  [
    'external',
    'Available to external systems with the header `External-System-Secret-Key` and one company header.',
  ],
  [
    'gateway',
    'Available to the payment gateway, authenticated by its signature in the header `X-Signature`.',
  ],
]);

function notesOn({ method, metadata, hasMethodOverride }: OperationObject): string {
  const { right, orRight, andRight, note, deprecated } = metadata;
  const rights = [right, orRight ?? andRight ?? []].flat().map((each) => `\`${each}\``);
  const access = ACCESS.get(right) ?? `Requires the right ${rights.join(andRight ? ' and ' : ' or ')}.`;
  const strict = metadata.body && isStrict(metadata) ? ' Unknown fields are 422.' : '';
  const override = hasMethodOverride ? ` Also accepted as POST with \`?_method=${method}\`.` : '';
  const notice = deprecated
    ? `Deprecated since ${deprecated.since}, served until ${deprecated.until}: use ${deprecated.instead}. `
    : '';
  return `${notice}${access}${override}${strict}${note === undefined ? '' : `\n\n${note}`}`;
}

function requestBody({ name, noun, metadata }: OperationObject, body: z.ZodType, schemas: Schemas) {
  const { sent } = exampleOf(name);
  const schema = schemas.referenceTo(body);
  const form = jsonSchemaOf(body, 'body', [schema?.$ref.split('/').at(-1) ?? nounOf(noun.at(-1) ?? '')]);
  const asJson = schema && { 'application/json': { schema, ...exampleJson(sent, form) } };
  const required = isRequired(form);
  if (!metadata.accepts) return { required, content: { ...asJson } };
  const asForm = { schema: formOf(form), ...exampleForm(sent) };
  return { required, content: { 'multipart/form-data': asForm, ...asJson } };
}

/** Returns false for a body that may be left out: an object of optional fields. */
function isRequired({ properties, required = [] }: Schema): boolean {
  return properties === undefined || required.length > 0;
}

/** Removes the files from a body recorded as a form. */
function exampleJson(sent: unknown, { properties = {} }: Schema) {
  if (sent === undefined) return {};
  const fields = Object.entries(Object(sent)).filter(([name]) => !isFile(properties[name]));
  return { example: Object.fromEntries(fields) };
}

/** Converts a body recorded as JSON to form fields. */
function exampleForm(sent: unknown) {
  const spread = (value: unknown, name: string): [string, unknown][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).flatMap(([part, each]) => spread(each, name ? `${name}[${part}]` : part))
      : [[Array.isArray(value) && !name.endsWith('[]') ? `${name}[]` : name, value]];
  return sent === undefined ? {} : { example: Object.fromEntries(spread(sent, '')) };
}

/** Describes the fields of a form under their bracketed names: `name[ru]`. */
function formOf(schema: Schema) {
  const fields = fieldsOf(schema);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, field.schema])),
    required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  };
}

function sentence(verb: string): string {
  const words = verb.replaceAll('-', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
