import { bytesOf, descriptorOf, type SystemCall } from './trace.js';

/** An edit as an answer acknowledged it. */
export interface AcknowledgedEdit {
  readonly edit_id: string;
  readonly id: string;
  readonly seq: number;
}

/** A whole `202 Accepted`, as it left through a socket. */
export interface AnswerInTrace {
  /** Where its first byte left. */
  readonly position: number;
  readonly edits: readonly AcknowledgedEdit[];
}

const WRITES = new Set(['write', 'writev', 'sendto', 'sendmsg']);
const READS = new Set(['read', 'readv', 'recvfrom']);
const RECEIPT = /"edit_id":"([^"]+)","id":"([^"]+)","seq":(\d+)/g;

/** The acknowledgements in a trace, in order. What was written to one socket between two reads is one answer. */
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
