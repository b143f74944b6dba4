import * as z from 'zod';

/*
 * Facts of an OpenAPI document that a client depends on. Parsing omits the rest: descriptions, tags,
 * examples.
 */

const Texts = z.array(z.string());

/** A JSON Schema, as far as the reference uses it. */
const JsonSchema = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), Texts]).optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  const: z.json().optional(),
  enum: z.array(z.json()).optional(),
  default: z.json().optional(),
  minimum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMaximum: z.number().optional(),
  multipleOf: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  uniqueItems: z.boolean().optional(),
  required: Texts.optional(),
  not: z.json().optional(),
  propertyNames: z.json().optional(),
  get items() {
    return JsonSchema.optional();
  },
  get properties() {
    return z.record(z.string(), JsonSchema).optional();
  },
  get additionalProperties() {
    return z.union([z.boolean(), JsonSchema]).optional();
  },
  get anyOf() {
    return z.array(JsonSchema).optional();
  },
  get oneOf() {
    return z.array(JsonSchema).optional();
  },
});
export type JsonSchema = z.output<typeof JsonSchema>;

const Content = z.record(z.string(), z.object({ schema: JsonSchema.optional() }));

const Parameter = z.object({
  $ref: z.string().optional(),
  name: z.string().optional(),
  in: z.string().optional(),
  required: z.boolean().optional(),
  schema: JsonSchema.optional(),
});
export type Parameter = z.output<typeof Parameter>;

const Response = z.object({
  $ref: z.string().optional(),
  headers: z.record(z.string(), z.object({ $ref: z.string().optional() })).optional(),
  content: Content.optional(),
});
export type Response = z.output<typeof Response>;

const Operation = z.object({
  operationId: z.string(),
  security: z.array(z.record(z.string(), Texts)).optional(),
  parameters: z.array(Parameter).optional(),
  requestBody: z.object({ required: z.boolean().optional(), content: Content }).optional(),
  responses: z.record(z.string(), Response),
  /** Days of a deprecated operation. */
  'x-deprecated': z.object({ since: z.string(), until: z.string() }).optional(),
});
export type Operation = z.output<typeof Operation>;

const Paths = z.record(z.string(), z.record(z.string(), Operation));
export type Paths = z.output<typeof Paths>;

/** Contract in an OpenAPI document. */
export const ApiContract = z.object({
  info: z.object({ version: z.string() }),
  security: Operation.shape.security,
  paths: Paths,
  webhooks: Paths.optional(),
  components: z.object({
    schemas: z.record(z.string(), JsonSchema).default({}),
    parameters: z.record(z.string(), Parameter).default({}),
    responses: z.record(z.string(), Response).default({}),
  }),
});
export type ApiContract = z.output<typeof ApiContract>;
