import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import type { Resource } from './synthesis.ts';

/*
 * Checks resources against CloudFormation's own specification: known properties, required ones, their types
 * and their values.
 */

const SPECIFICATION = loadAwsServiceSpecSync();

type Specified = ReturnType<typeof specificationOf>;
type Type = Specified[string]['type'];

/** Lists the faults of a resource, as `Bucket.LifecycleConfiguration.Rules.0: unknown: Prefixes`. */
export function faultsOf({ id, Type: type, Properties }: Resource): string[] {
  return faultsOfProperties(`${type} ${id}`, specificationOf(type), Properties);
}

function specificationOf(type: string) {
  return SPECIFICATION.lookup('resource', 'cloudFormationType', 'equals', type).only().properties;
}

function faultsOfProperties(place: string, specified: Specified, given: object): string[] {
  const missing = Object.entries(specified).filter(([name, { required }]) => required && !(name in given));
  return [
    ...missing.map(([name]) => `${place}: missing: ${name}`),
    ...Object.entries(given).flatMap(([name, value]) => {
      const property = specified[name];
      return property
        ? faultsOfValue(`${place}.${name}`, property.type, value)
        : [`${place}: unknown: ${name}`];
    }),
  ];
}

function faultsOfValue(place: string, type: Type, value: unknown): string[] {
  // Only CloudFormation can resolve a reference.
  if (isReference(value)) return [];
  const wrong = [`${place}: no ${type.type}: ${JSON.stringify(value)}`];
  switch (type.type) {
    case 'json':
      return [];
    case 'union': {
      const faults = type.types.map((each) => faultsOfValue(place, each, value));
      return faults.find((each) => each.length === 0) ?? faults.flat();
    }
    case 'array':
      if (!Array.isArray(value)) return wrong;
      return value.flatMap((each, index) => faultsOfValue(`${place}.${index}`, type.element, each));
    case 'map':
      if (!isObject(value)) return wrong;
      return Object.entries(value).flatMap(([key, each]) =>
        faultsOfValue(`${place}.${key}`, type.element, each),
      );
    case 'ref':
      if (!isObject(value)) return wrong;
      return faultsOfProperties(
        place,
        SPECIFICATION.get('typeDefinition', type.reference.$ref).properties,
        value,
      );
    case 'tag':
      return isObject(value) && 'Key' in value && 'Value' in value ? [] : wrong;
    default:
      return isOf(type, value) ? [] : wrong;
  }
}

function isOf(type: Type, value: unknown): boolean {
  switch (type.type) {
    case 'string':
      return typeof value === 'string' && (type.allowedValues?.includes(value) ?? true);
    case 'integer':
      return Number.isInteger(value) && (type.allowedValues?.includes(Number(value)) ?? true);
    case 'number':
    case 'boolean':
      return typeof value === type.type;
    default:
      return typeof value === 'string';
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isReference(value: unknown): boolean {
  if (!isObject(value)) return false;
  const [name = '', ...others] = Object.keys(value);
  return others.length === 0 && (name === 'Ref' || name.startsWith('Fn::'));
}
