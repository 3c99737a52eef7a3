import { bytesOf, descriptorOf, type SystemCall } from './trace.js';

/** An edit that a response has acknowledged. */
export interface AcknowledgedEdit {
  readonly edit_id: string;
  readonly id: string;
  readonly seq: number;
}

/** A complete `202 Accepted` that was written to a socket. */
export interface AnswerInTrace {
  /** The position in the trace at which its first byte was written. */
  readonly position: number;
  readonly edits: readonly AcknowledgedEdit[];
}

const WRITES = new Set(['write', 'writev', 'sendto', 'sendmsg']);
const READS = new Set(['read', 'readv', 'recvfrom']);
const RECEIPT = /"edit_id":"([^"]+)","id":"([^"]+)","seq":(\d+)/g;

/**
 * The acknowledgements in a trace, in order. Everything that is written to one socket between two reads is one
 * response.
 */
export function answersInTrace(calls: readonly SystemCall[]): AnswerInTrace[] {
  const answers: { position: number; parts: Buffer[] }[] = [];
  const open = new Map<string, Buffer[]>();
  for (const call of calls) {
    const socket = descriptorOf(call)?.path;
    if (socket?.startsWith('socket:') !== true) continue;
    if (READS.has(call.name)) open.delete(socket);
    if (!WRITES.has(call.name)) continue;
    const bytes = bytesOf(call);
    if (bytes.subarray(0, 12).toString('latin1') === 'HTTP/1.1 202') {
      const parts = [bytes];
      answers.push({ position: call.began, parts });
      open.set(socket, parts);
    } else {
      open.get(socket)?.push(bytes);
    }
  }
  return answers.map(({ position, parts }) => ({ position, edits: editsIn(Buffer.concat(parts).toString()) }));
}

function editsIn(text: string): AcknowledgedEdit[] {
  return [...text.matchAll(RECEIPT)].map(([, edit_id = '', id = '', seq]) => ({ edit_id, id, seq: Number(seq) }));
}
