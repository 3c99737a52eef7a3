/** What the proxy's HTTP interface promises beyond the shapes of its messages, which `http-interface.ts` adds. */
export interface Operation {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /** What the session has to permit, in Markdown. Absent below `/v1`: any session. */
  readonly permission?: string;
  readonly parameters?: readonly Parameter[];
  /** Name of a schema. */
  readonly body?: string;
  readonly answers: Readonly<Record<number, Answer>>;
}

interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly description: string;
  readonly required?: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}

interface Answer {
  readonly description: string;
  /** Name of a schema, or a media type other than JSON. */
  readonly schema?: string;
  readonly mediaType?: string;
}

const cursor: Parameter = {
  name: 'cursor',
  in: 'query',
  description: 'The `next` of the page before.',
  schema: { type: 'string' },
};

const editId: Parameter = {
  name: 'edit_id',
  in: 'path',
  required: true,
  description: 'Id of the edit.',
  schema: { $ref: '#/components/schemas/EditId' },
};

const scheduleId: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Id of the schedule: 1 to 64 of `A-Z a-z 0-9 . _ -`, made by the page.',
  schema: { $ref: '#/components/schemas/ScheduleId' },
};

const changeSetId: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Id of the change set.',
  schema: { $ref: '#/components/schemas/EditId' },
};

const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description: 'A new one for each batch: 1 to 200 visible ASCII characters.',
  schema: { type: 'string', pattern: '^[!-~]{1,200}$' },
};

const limit: Parameter = {
  name: 'limit',
  in: 'query',
  description: 'How many entries at most, 1 to 1000.',
  schema: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
};

const receipts = (description: string): Answer => ({ description, schema: 'Receipts' });

export const OPERATIONS: readonly Operation[] = [
  {
    method: 'get',
    path: '/v1/session',
    operationId: 'readSession',
    summary: 'Returns who is signed in and what they may do.',
    answers: { 200: { description: 'The session.', schema: 'Session' } },
  },
  {
    method: 'delete',
    path: '/v1/session',
    operationId: 'endSession',
    summary: 'Signs out: every embed token of the person that was issued until now is refused from now on.',
    description:
      'Tokens of other tabs and renewed ones are refused, too; a token that the host signs after the sign-out is accepted. This holds for every proxy on the same PostgreSQL and after a restart. A session without a token belongs to the host, which ends it.',
    answers: { 204: { description: 'The tokens are refused from now on.' } },
  },
  {
    method: 'get',
    path: '/v1/inventory',
    operationId: 'listInventory',
    summary: 'Returns the items page by page, or what changed since a revision.',
    description:
      'There are more items as long as the answer has a `next`, even if a page is short or empty. `revision` is the value for the next `since`. If it is smaller than the `since` that was sent, the proxy does not know that revision: read all items again.',
    permission: '`view`',
    parameters: [
      {
        name: 'limit',
        in: 'query',
        description: 'Most items of one page.',
        schema: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
      },
      cursor,
      {
        name: 'since',
        in: 'query',
        description: 'Only items that changed after this revision.',
        schema: { type: 'integer', minimum: 0 },
      },
    ],
    answers: { 200: { description: 'One page.', schema: 'Listing' } },
  },
  {
    method: 'post',
    path: '/v1/inventory',
    operationId: 'acceptEdits',
    summary: 'Accepts a batch of edits.',
    description:
      'If anything is wrong, nothing of the batch is stored. The same `Idempotency-Key` with the same body answers with the present receipts; keys live for 7 days. An `edit_id` that is known with the same content returns its receipt under any key.',
    permission: '`edit`',
    parameters: [
      idempotencyKey,
      {
        name: 'Prefer',
        in: 'header',
        description: '`wait=N` (RFC 7240) waits for the portal, for 10 seconds at most.',
        schema: { type: 'string', examples: ['wait=5'] },
      },
    ],
    body: 'EditBatch',
    answers: {
      200: receipts('With `Prefer: wait`: the portal has settled all edits.'),
      202: receipts('The edits are durable. With `Prefer: wait`: the time is over.'),
    },
  },
  {
    method: 'get',
    path: '/v1/receipts',
    operationId: 'readReceipts',
    summary: 'Returns the receipts of edits.',
    permission: '`view`',
    parameters: [
      {
        name: 'ids',
        in: 'query',
        required: true,
        description: 'Ids of edits, separated by commas. An id that is not known has no receipt in the answer.',
        schema: { type: 'string' },
      },
    ],
    answers: { 200: receipts('The receipts that are known.') },
  },
  {
    method: 'post',
    path: '/v1/edits/{edit_id}/retry',
    operationId: 'retryEdit',
    summary: 'Accepts the value of an edit again, as a new edit.',
    description: 'Edits of other people need the permission `resolve`.',
    permission: '`edit` or `resolve`',
    parameters: [editId],
    answers: { 202: receipts('The receipt of the new edit.') },
  },
  {
    method: 'post',
    path: '/v1/edits/{edit_id}/discard',
    operationId: 'discardEdit',
    summary: 'Discards an edit that was never tried, or that needs a person.',
    description: 'Edits of other people need the permission `resolve`.',
    permission: '`edit` or `resolve`',
    parameters: [editId],
    answers: { 200: receipts('The receipt of the discarded edit.') },
  },
  {
    method: 'get',
    path: '/v1/history',
    operationId: 'readHistory',
    summary: 'Returns who changed what and when, from the newest to the oldest.',
    permission: '`history`',
    parameters: [
      {
        name: 'item',
        in: 'query',
        description: 'Only edits of this item.',
        schema: { $ref: '#/components/schemas/ItemId' },
      },
      { name: 'subject', in: 'query', description: 'Only edits of this person.', schema: { type: 'string' } },
      { name: 'state', in: 'query', description: 'Only edits in this state.', schema: { type: 'string' } },
      {
        name: 'from',
        in: 'query',
        description: 'Only edits that were accepted then or later.',
        schema: { $ref: '#/components/schemas/Timestamp' },
      },
      {
        name: 'until',
        in: 'query',
        description: 'Only edits that were accepted before then.',
        schema: { $ref: '#/components/schemas/Timestamp' },
      },
      {
        name: 'day',
        in: 'query',
        description: 'Only edits that were accepted on this day of `time_zone`.',
        schema: { type: 'string', format: 'date' },
      },
      {
        name: 'time_zone',
        in: 'query',
        description: 'IANA name of the zone of `day`, as in `Europe/Berlin`.',
        schema: { type: 'string' },
      },
      {
        name: 'change_set',
        in: 'query',
        description: 'Only edits of this change set.',
        schema: { $ref: '#/components/schemas/EditId' },
      },
      {
        name: 'collapse',
        in: 'query',
        description:
          'One entry for the edits of a person in one change set: the newest, with a `summary` of all that match.',
        schema: { type: 'string', const: 'change_set' },
      },
      limit,
      cursor,
    ],
    answers: {
      200: {
        description: 'One page of edits. There are more as long as it has a `next`, even if it is short or empty.',
        schema: 'History',
      },
    },
  },
  {
    method: 'get',
    path: '/v1/change-sets/{id}',
    operationId: 'readChangeSet',
    summary: 'Returns the edits that were made together, from the newest to the oldest.',
    permission: '`view`, and `edit` or `history`',
    parameters: [
      changeSetId,
      { name: 'subject', in: 'query', description: 'Only edits of this person.', schema: { type: 'string' } },
      limit,
      cursor,
    ],
    answers: {
      200: { description: 'One page of edits. There are more as long as it has a `next`.', schema: 'History' },
    },
  },
  {
    method: 'post',
    path: '/v1/change-sets/{id}/revert',
    operationId: 'revertChangeSet',
    summary: 'Sets the items of a change set back to the values before it.',
    description:
      'An item that has changed since is skipped. Each item has a receipt, or is in `skipped` with the reason. The new edits are as those of `POST /v1/inventory`, and so are the write budget and the same `Idempotency-Key` with the same body. One call takes as many edits as a batch may have, from the newest to the oldest; with a `next` in the answer, there are more.',
    permission: '`history` and `edit`',
    parameters: [changeSetId, idempotencyKey],
    body: 'RevertRequest',
    answers: {
      202: { description: 'The edits are durable.', schema: 'RevertedChangeSet' },
    },
  },
  {
    method: 'get',
    path: '/v1/schedules',
    operationId: 'listSchedules',
    summary: 'Returns the schedules, page by page.',
    permission: '`view`',
    parameters: [cursor],
    answers: { 200: { description: 'One page of at most 100 schedules.', schema: 'Schedules' } },
  },
  {
    method: 'get',
    path: '/v1/schedules/{id}',
    operationId: 'readSchedule',
    summary: 'Returns one schedule.',
    permission: '`view`',
    parameters: [scheduleId],
    answers: { 200: { description: 'The schedule.', schema: 'Schedule' } },
  },
  {
    method: 'put',
    path: '/v1/schedules/{id}',
    operationId: 'putSchedule',
    summary:
      'Makes items unavailable until a time, every week, or while a calendar is busy, or replaces such a schedule.',
    description:
      'Without `from` the items are unavailable when the answer comes. The proxy makes them available at `until`, once, and late if it was down then. It leaves out items that a person has changed since. A closing that begins later, or repeats, leaves out items that are unavailable by then. The same body again changes nothing. With `feed` the proxy reads the calendar before it answers, and a calendar that cannot be read is refused.',
    permission: '`schedule`',
    parameters: [scheduleId],
    body: 'ScheduleRequest',
    answers: {
      200: { description: 'The schedule, which was there before.', schema: 'Schedule' },
      201: { description: 'The schedule, which is new.', schema: 'Schedule' },
    },
  },
  {
    method: 'delete',
    path: '/v1/schedules/{id}',
    operationId: 'removeSchedule',
    summary: 'Removes a schedule. Items that it has closed stay unavailable.',
    permission: '`schedule`',
    parameters: [scheduleId],
    answers: { 204: { description: 'The schedule is gone.' } },
  },
  {
    method: 'get',
    path: '/v1/events',
    operationId: 'followChanges',
    summary: 'Streams a hint for each item that changed.',
    description:
      'Server-sent events, read with `fetch`, because `EventSource` cannot send a token. The data of an event is `{"id", "seq"}`, without `seq` if the last edit was withdrawn. A hint carries no value: read it with `since`. The stream ends with the session and after 15 minutes at most.',
    permission: '`view`',
    parameters: [
      {
        name: 'Last-Event-ID',
        in: 'header',
        description: 'Continues after this event. If the id is not known, the first event is `reset`.',
        schema: { type: 'string' },
      },
    ],
    answers: { 200: { description: 'The stream.', mediaType: 'text/event-stream' } },
  },
  {
    method: 'get',
    path: '/livez',
    operationId: 'readLiveness',
    summary: 'Answers while the process runs.',
    answers: { 200: { description: 'The process runs.', schema: 'Status' } },
  },
  {
    method: 'get',
    path: '/readyz',
    operationId: 'readReadiness',
    summary: 'Answers whether edits are accepted and delivered.',
    description:
      '`degraded` means that the portal is in trouble; edits are still accepted. 503 means that the storage does not answer or that delivery has stopped.',
    answers: { 200: { description: '`ready` or `degraded`.', schema: 'Status' } },
  },
  {
    method: 'get',
    path: '/widget.js',
    operationId: 'readScript',
    summary: 'Returns the drop-in script, which names the script of its version.',
    answers: { 200: { description: 'The script.', mediaType: 'text/javascript' } },
  },
  {
    method: 'get',
    path: '/widget.classic.js',
    operationId: 'readClassicScript',
    summary: 'Returns a loader of the drop-in script for pages whose scripts are not modules.',
    answers: { 200: { description: 'The script.', mediaType: 'text/javascript' } },
  },
  {
    method: 'get',
    path: '/widget-{version}.js',
    operationId: 'readVersionedScript',
    summary: 'Returns the script of one version, whose bytes never change.',
    parameters: [
      { name: 'version', in: 'path', required: true, description: 'The version.', schema: { type: 'string' } },
    ],
    answers: { 200: { description: 'The script.', mediaType: 'text/javascript' } },
  },
  {
    method: 'get',
    path: '/assets/{name}',
    operationId: 'readScriptPart',
    summary: 'Returns a part of the script that is loaded on demand.',
    parameters: [{ name: 'name', in: 'path', required: true, description: 'The file.', schema: { type: 'string' } }],
    answers: { 200: { description: 'The part.', mediaType: 'text/javascript' } },
  },
];
