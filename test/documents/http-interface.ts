import * as z from 'zod/mini';
import { editId, itemId, timestamp } from '../../src/contract/fields.js';
import { problem, PROBLEMS, isRetryable, type ProblemCode } from '../../src/contract/problem.js';
import { schedule, scheduleId, scheduleRequest, schedules } from '../../src/contract/schedules.js';
import { VERSION } from '../../src/contract/version.js';
import { history, revertedChangeSet, revertRequest } from '../../src/contract/history.js';
import { editBatch, listing, receipts, session } from '../../src/contract/widget.js';
import { code, table } from './markdown.js';
import { OPERATIONS, type Operation } from './http-operations.js';

type Json = Readonly<Record<string, unknown>>;

/** Shapes that zod checks with a function, so that no schema language can read them out of it. */
const FIELDS: ReadonlyMap<unknown, readonly [name: string, schema: Json]> = new Map<
  unknown,
  readonly [name: string, schema: Json]
>([
  [
    itemId,
    [
      'ItemId',
      { type: 'string', minLength: 1, maxLength: 200, description: 'An id of the portal, without control characters.' },
    ],
  ],
  [editId, ['EditId', { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' }]],
  [scheduleId, ['ScheduleId', { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' }]],
  [
    timestamp,
    [
      'Timestamp',
      { type: 'string', format: 'date-time', description: 'ISO 8601 in UTC.', examples: ['2026-11-21T08:30:00.000Z'] },
    ],
  ],
]);

const MESSAGES = {
  Session: session,
  EditBatch: editBatch,
  Receipts: receipts,
  Listing: listing,
  History: history,
  RevertRequest: revertRequest,
  RevertedChangeSet: revertedChangeSet,
  ScheduleRequest: scheduleRequest,
  Schedule: schedule,
  Schedules: schedules,
  Problem: problem,
} as const;

/** The proxy's HTTP interface as an OpenAPI 3.1 document. */
export function openApi(): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of OPERATIONS) (paths[operation.path] ??= {})[operation.method] = operationOf(operation);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Vendor inventory proxy',
      version: VERSION,
      description:
        'The interface between the elements and the proxy. Every call below `/v1` needs a session. Calls that change something also need an allowed `Origin`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'https://inventory.example.com', description: '`PUBLIC_URL` of the proxy.' }],
    paths,
    components: {
      securitySchemes: {
        embedToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The embed token that the host signs. A mounted proxy may use the cookies of its host instead.',
        },
      },
      schemas: {
        ...Object.fromEntries(FIELDS.values()),
        ...Object.fromEntries(Object.entries(MESSAGES).map(([name, schema]) => [name, schemaOf(schema)])),
        Status: { type: 'object', properties: { status: { type: 'string' } }, required: ['status'] },
      },
      responses: {
        Problem: {
          description:
            'A problem (RFC 9457). `code` is stable, and `retryable` says whether the same call may succeed later.',
          content: { 'application/problem+json': { schema: reference('Problem') } },
        },
      },
    },
  };
}

/** One row for each route. */
export function routesReference(): string {
  const rows = OPERATIONS.map(({ method, path, permission, summary }) => [
    code(`${method.toUpperCase()} ${path}`),
    path.startsWith('/v1/') ? (permission ?? 'a session') : 'nothing',
    summary,
  ]);
  return table(['route', 'needs', 'does'], rows);
}

/** One row for each problem code. */
export function problemsReference(): string {
  const codes = Object.keys(PROBLEMS) as ProblemCode[];
  const rows = codes.map((name) => [
    code(name),
    String(PROBLEMS[name].status),
    isRetryable(name) ? 'yes' : 'no',
    PROBLEMS[name].detail,
  ]);
  return table(['`code`', 'status', '`retryable`', 'meaning'], rows);
}

function operationOf(operation: Operation): Json {
  const { path, operationId, summary, description, permission, parameters, body, answers } = operation;
  const isPublic = !path.startsWith('/v1/');
  const needs = permission === undefined ? [] : [`Permission: ${permission}.`];
  const text = [...(description === undefined ? [] : [description]), ...needs].join(' ');
  return {
    operationId,
    summary,
    ...(text !== '' && { description: text }),
    ...(!isPublic && { security: [{ embedToken: [] }] }),
    parameters: [...(parameters ?? []), ...(isPublic || operation.method === 'get' ? [] : UNSAFE)],
    ...(body !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: reference(body) } } },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, { description: meaning, schema, mediaType }]) => [
          status,
          {
            description: meaning,
            ...(schema !== undefined && { content: { 'application/json': { schema: reference(schema) } } }),
            ...(mediaType !== undefined && { content: { [mediaType]: { schema: { type: 'string' } } } }),
          },
        ]),
      ),
      default: { $ref: '#/components/responses/Problem' },
    },
  };
}

/** What a page of another site cannot send without a preflight. */
const UNSAFE: readonly Json[] = [
  {
    name: 'X-Requested-With',
    in: 'header',
    required: true,
    description: 'Always `inventory-widget`. `Content-Type` is `application/json`, also without a body.',
    schema: { type: 'string', const: 'inventory-widget' },
  },
  {
    name: 'Origin',
    in: 'header',
    required: true,
    description: 'An origin of `ALLOWED_ORIGINS`, or that of `PUBLIC_URL`.',
    schema: { type: 'string', format: 'uri' },
  },
];

function reference(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

/** What the proxy reads is strict. What it answers may have more fields, because a page may be older than its proxy. */
function schemaOf(schema: z.core.$ZodType): Json {
  const { $schema: _dialect, ...shape } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const field = FIELDS.get(zodSchema);
      if (field !== undefined) jsonSchema.$ref = `#/components/schemas/${field[0]}`;
    },
  });
  return shape;
}
