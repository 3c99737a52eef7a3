import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { PROBLEMS } from '../../../contract/problem.js';
import { VERSION } from '../../../contract/version.js';
import type { Metrics } from '../../runtime/metrics.js';
import type { ProxyStatus } from '../../delivery/status.js';

/**
 * The counters and the status of the proxy as Prometheus text. The names are a contract with alert rules and dashboards;
 * tests compare those in `operating/` with a real scrape.
 */
export interface Prometheus {
  readonly metrics: Metrics;
  readonly contentType: string;
  scrape(status: ProxyStatus): Promise<string>;
}

const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const CALL_SECONDS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** The caller chooses the method, so all others count as `other` and create no time series of their own. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);

export function createPrometheus(): Prometheus {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const updateStatus = statusGauges(registry);
  return {
    metrics: { ...requestMetrics(registry), ...portalMetrics(registry), ...itemMetrics(registry) },
    contentType: registry.contentType,
    scrape(status) {
      updateStatus(status);
      return registry.metrics();
    },
  };
}

type RequestMetrics = Pick<Metrics, 'requestHandled' | 'requestRejected' | 'streamOpened' | 'streamClosed'>;

function requestMetrics(registry: Registry): RequestMetrics {
  const requests = new Histogram({
    name: 'inventory_http_request_duration_seconds',
    help: 'Requests by route, until the answer begins.',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_SECONDS,
    registers: [registry],
  });
  const problems = counter(registry, 'inventory_problems_total', 'Refusals and failures, by code.', ['code']);
  const streams = gauge(registry, 'inventory_event_streams', 'Event streams that are open.');
  // Each counter starts at 0, so that the first event shows as an increase.
  for (const code of Object.keys(PROBLEMS)) problems.inc({ code }, 0);
  return {
    requestHandled({ method, route, status, milliseconds }) {
      requests.observe({ method: METHODS.has(method) ? method : 'other', route, status }, milliseconds / 1000);
    },
    requestRejected(code) {
      problems.inc({ code });
    },
    streamOpened() {
      streams.inc();
    },
    streamClosed() {
      streams.dec();
    },
  };
}

type PortalMetrics = Pick<Metrics, 'portalCalled' | 'tokenRequested' | 'timestampsAhead'>;

function portalMetrics(registry: Registry): PortalMetrics {
  const calls = new Histogram({
    name: 'inventory_portal_call_duration_seconds',
    help: 'Inventory updates sent to the portal, by outcome and reason.',
    labelNames: ['outcome', 'reason'],
    buckets: CALL_SECONDS,
    registers: [registry],
  });
  const tokens = counter(registry, 'inventory_portal_token_requests_total', 'Token requests, by outcome.', ['outcome']);
  const ahead = counter(
    registry,
    'inventory_stamps_ahead_total',
    "Edits sent with a stamp too far ahead of the portal's clock.",
  );
  for (const outcome of ['granted', 'refused', 'failed'] as const) tokens.inc({ outcome }, 0);
  return {
    portalCalled(outcome, milliseconds) {
      const reason = 'reason' in outcome ? outcome.reason : '';
      calls.observe({ outcome: outcome.kind, reason }, milliseconds / 1000);
    },
    tokenRequested(outcome) {
      tokens.inc({ outcome });
    },
    timestampsAhead(count) {
      ahead.inc(count);
    },
  };
}

type ItemMetrics = Pick<Metrics, 'itemsReassigned' | 'portalListRead' | 'portalDrifted' | 'calendarRead'>;

function itemMetrics(registry: Registry): ItemMetrics {
  const reassigned = counter(
    registry,
    'inventory_items_reassigned_total',
    'Items that another vendor had changed before the list of their owner was read.',
  );
  const lists = counter(registry, 'inventory_portal_lists_total', "Readings of the portal's own list, by outcome.", [
    'outcome',
  ]);
  const drifts = counter(
    registry,
    'inventory_portal_drifts_total',
    'Items that had another value at the portal than was delivered.',
  );
  const calendars = counter(registry, 'inventory_calendar_reads_total', "Readings of vendors' calendars, by outcome.", [
    'outcome',
  ]);
  for (const outcome of ['read', 'failed'] as const) lists.inc({ outcome }, 0);
  for (const outcome of ['read', 'unchanged', 'failed'] as const) calendars.inc({ outcome }, 0);
  return {
    itemsReassigned(items) {
      reassigned.inc(items);
    },
    portalListRead(outcome) {
      lists.inc({ outcome });
    },
    portalDrifted(items) {
      drifts.inc(items);
    },
    calendarRead(outcome) {
      calendars.inc({ outcome });
    },
  };
}

/** @returns a function that sets the gauges to a status */
function statusGauges(registry: Registry): (status: ProxyStatus) => void {
  gauge(registry, 'inventory_build_info', 'Version of the proxy.', ['version']).set({ version: VERSION }, 1);
  const delivering = gauge(registry, 'inventory_delivering', 'Whether this process takes edits to the portal.');
  const offset = gauge(registry, 'inventory_portal_clock_offset_seconds', "The portal's clock minus ours.");
  const storageUp = gauge(registry, 'inventory_storage_up', 'Whether the storage answers.');
  const edits = gauge(registry, 'inventory_edits', 'Accepted edits, by state.', ['state']);
  const age = gauge(
    registry,
    'inventory_oldest_waiting_edit_age_seconds',
    'How long the oldest edit that waits has waited.',
  );
  const lanes = gauge(registry, 'inventory_lanes_held', 'Credentials whose delivery is held, by reason.', ['reason']);

  return ({ delivering: isDelivering, portalOffset, storage }) => {
    delivering.set(Number(isDelivering));
    offset.set(portalOffset / 1000);
    storageUp.set(Number(storage !== undefined));
    edits.reset();
    lanes.reset();
    age.remove();
    // Without a response of the storage its metrics are absent, so that an old value does not look current.
    if (storage === undefined) return;
    const { received, delivered, parked, superseded, discarded, pruned } = storage.edits;
    for (const [state, count] of Object.entries({ received, delivered, parked, superseded, discarded, pruned })) {
      edits.set({ state }, count);
    }
    age.set(storage.oldestWaitingMs / 1000);
    for (const [reason, count] of storage.heldLanes) lanes.set({ reason }, count);
  };
}

function counter(registry: Registry, name: string, help: string, labelNames: readonly string[] = []): Counter {
  return new Counter({ name, help, labelNames: [...labelNames], registers: [registry] });
}

function gauge(registry: Registry, name: string, help: string, labelNames: readonly string[] = []): Gauge {
  return new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] });
}
