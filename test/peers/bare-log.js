import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writevSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The floor of what has to be done with a batch: it is parsed, checked by hand, synced with all that came in the same turn
 * into a log, and answered with receipts. It knows no session, no conflict and no repeated edit, and delivers nothing.
 */
const folder = mkdtempSync(join(tmpdir(), 'inventory-bench-'));
const log = openSync(join(folder, 'log'), 'a');
process.once('exit', () => {
  closeSync(log);
  rmSync(folder, { recursive: true });
});
process.once('SIGTERM', () => process.exit(0));

const UNUSUAL = /[^ -~]/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
let waiting = [];
let seq = 0;

function isEdit({ id, available, updated_at, edit_id }) {
  return (
    typeof id === 'string' &&
    id !== '' &&
    id.length <= 200 &&
    !UNUSUAL.test(id) &&
    typeof available === 'boolean' &&
    typeof edit_id === 'string' &&
    edit_id.length <= 64 &&
    TIME.test(updated_at)
  );
}

function sync() {
  const group = waiting;
  waiting = [];
  writevSync(
    log,
    group.map(({ body }) => body),
  );
  fdatasyncSync(log);
  const updated_at = new Date().toISOString();
  for (const { inventory, response } of group) {
    const receipts = inventory.map(({ id, edit_id }) => ({
      edit_id,
      id,
      seq: (seq += 1),
      state: 'received',
      updated_at,
    }));
    const answer = Buffer.from(JSON.stringify({ receipts }), 'latin1');
    response.writeHead(202, { 'Content-Type': 'application/json', 'Content-Length': answer.length }).end(answer);
  }
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    const { inventory } = body.length === 0 ? { inventory: [] } : JSON.parse(body.latin1Slice());
    if (inventory.length === 0 || !inventory.every(isEdit)) {
      response.writeHead(400, { 'Content-Length': 0 }).end();
      return;
    }
    if (waiting.push({ body, inventory, response }) === 1) setImmediate(sync);
  });
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
