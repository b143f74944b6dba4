import { componentNameOf } from './alternatives.ts';
import type { ApiContract, Operation, Parameter, Paths, Response } from './contract.ts';
import { type CompareSchemas, type DataFlow, schemaComparison } from './narrowing.ts';

/**
 * Lists the breaking changes of a contract, a sentence each: a removed operation, parameter, field, value of
 * an enumeration or response, a newly required input, a type that is narrower in a request or wider in a
 * response.
 */
export function breakingChanges(before: ApiContract, after: ApiContract): readonly string[] {
  const compare = schemaComparison(before, after);
  const found = [
    ...pathChanges(before, after, { paths: 'paths', body: 'sent', compare }),
    ...pathChanges(before, after, { paths: 'webhooks', body: 'received', compare }),
  ];
  return [...new Set(found)].sort();
}

interface Comparison {
  readonly paths: 'paths' | 'webhooks';
  /** A client sends the body of a request to the API, and receives that of a webhook. */
  readonly body: DataFlow;
  readonly compare: CompareSchemas;
}

function pathChanges(before: ApiContract, after: ApiContract, comparison: Comparison): readonly string[] {
  const served = operationsOf(after[comparison.paths]);
  return [...operationsOf(before[comparison.paths])].flatMap(([where, old]) => {
    const next = served.get(where);
    if (!next) return [`\`${where}\` is removed`];
    return [
      ...(old.operationId === next.operationId ? [] : [`\`${where}\` has operationId ${next.operationId}`]),
      ...securityChanges(where, old.security ?? before.security, next.security ?? after.security),
      ...parameterChanges(where, parametersOf(old, before), parametersOf(next, after), comparison),
      ...bodyChanges(where, old.requestBody, next.requestBody, comparison),
      ...answerChanges(where, answersOf(old, before), answersOf(next, after), comparison.compare),
    ];
  });
}

/** Lists removed ways to sign in. An operation without any, or with an empty one, is public. */
function securityChanges(
  where: string,
  before: Operation['security'] = [{}],
  after: Operation['security'] = [{}],
): readonly string[] {
  const taken = new Set(after.map(wayOf));
  if (taken.size === 0 || taken.has('')) return [];
  const ways = before.length === 0 ? [''] : before.map(wayOf);
  return ways
    .filter((way) => !taken.has(way))
    .map((way) => `\`${where}\` is refused ${way === '' ? 'without signing in' : `by ${way}`}`);
}

function wayOf(schemes: Readonly<Record<string, unknown>>): string {
  return Object.keys(schemes).sort().join(' and ');
}

function parameterChanges(
  where: string,
  before: ReadonlyMap<string, Parameter>,
  after: ReadonlyMap<string, Parameter>,
  { body, compare }: Comparison,
): readonly string[] {
  const changes = [...before].flatMap(([name, old]) => {
    const next = after.get(name);
    if (!next) return [`\`${where} ${name}\` is removed`];
    return compare(`${where} ${name}`, body, old.schema, next.schema);
  });
  const required = [...after].filter(([name, { required }]) => required && !before.get(name)?.required);
  return body === 'sent'
    ? [...changes, ...required.map(([name]) => `\`${where} ${name}\` is required`)]
    : changes;
}

function bodyChanges(
  where: string,
  before: Operation['requestBody'],
  after: Operation['requestBody'],
  { body, compare }: Comparison,
): readonly string[] {
  const required = after?.required && !before?.required ? [`\`${where} body\` is required`] : [];
  return [...required, ...contentChanges(`${where} body`, before?.content, after?.content, [body, compare])];
}

/** Compares responses, of which only 2xx and 3xx must stay: errors have one form. */
function answerChanges(
  where: string,
  before: ReadonlyMap<string, Response>,
  after: ReadonlyMap<string, Response>,
  compare: CompareSchemas,
): readonly string[] {
  return [...before].flatMap(([status, old]) => {
    const next = after.get(status);
    if (!next) return /^[23]/.test(status) ? [`\`${where} ${status}\` is removed`] : [];
    const headers = Object.keys(old.headers ?? {}).filter((name) => next.headers?.[name] === undefined);
    return [
      ...headers.map((name) => `\`${where} ${status} ${name}\` is removed`),
      ...contentChanges(`${where} ${status}`, old.content, next.content, ['received', compare]),
    ];
  });
}

function contentChanges(
  where: string,
  before: Response['content'] = {},
  after: Response['content'] = {},
  [flow, compare]: readonly [DataFlow, CompareSchemas],
): readonly string[] {
  return Object.entries(before).flatMap(([type, old]) => {
    const next = after[type];
    if (!next) return [`\`${where} ${type}\` is removed`];
    return compare(where, flow, old.schema, next.schema);
  });
}

/** Finds the operations of paths by their requests: `GET /company/stock`. */
function operationsOf(paths: Paths = {}): ReadonlyMap<string, Operation> {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  );
  return new Map(operations);
}

function parametersOf({ parameters = [] }: Operation, { components }: ApiContract) {
  return new Map(
    parameters.map((each) => {
      const parameter =
        each.$ref === undefined ? each : (components.parameters[componentNameOf(each.$ref)] ?? each);
      return [
        parameter.in === 'header' ? `header ${parameter.name}` : `${parameter.name}`,
        parameter,
      ] as const;
    }),
  );
}

function answersOf({ responses }: Operation, { components }: ApiContract): ReadonlyMap<string, Response> {
  const answers = Object.entries(responses).map(([status, { $ref, ...response }]) => {
    const shared = $ref === undefined ? undefined : components.responses[componentNameOf($ref)];
    return [status, shared ?? response] as const;
  });
  return new Map(answers);
}
