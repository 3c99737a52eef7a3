import { basename, dirname } from 'node:path';
import type { DiskEvent } from './disk.js';
import { bytesOf, descriptorOf, lastNumberOf, pathOf, type SystemCall } from './trace.js';

/** Calls that change a file in a way that the simulated disk does not support. */
const UNKNOWN = new Set([
  ...['open', 'creat', 'rename', 'renameat', 'renameat2', 'link', 'linkat', 'unlinkat', 'write', 'writev', 'pwritev'],
  ...['pwritev2', 'truncate', 'fallocate', 'copy_file_range', 'sendfile'],
]);

export interface DatabaseFiles {
  /** The path of the database. Files whose names begin with it belong to it. */
  readonly path: string;
  /** The names that exist when the trace begins. Names that the trace creates are added. */
  readonly names: Set<string>;
}

/**
 * The changes of the files of a database in a trace, in order. The index of a write-ahead log (`-shm`) is rebuilt
 * from the log, so it is ignored.
 *
 * @throws {Error} at a call that the simulated disk does not support, or that was truncated: a trace that is not
 *   understood proves nothing
 */
export function diskEvents(calls: readonly SystemCall[], { path, names }: DatabaseFiles): DiskEvent[] {
  const folder = dirname(path);
  const events: DiskEvent[] = [];
  for (const call of calls) {
    const descriptor = descriptorOf(call);
    const target = /^(openat|unlink)/.test(call.name) ? pathOf(call) : descriptor?.path;
    if (target === undefined || descriptor?.isDeleted === true) continue;
    if (target === folder && call.name.endsWith('sync') && call.result === 0) {
      events.push({ kind: 'sync folder', name: '', position: call.ended, began: call.began });
    }
    if (!target.startsWith(path) || /-shm$|\.sock$/.test(target)) continue;
    if (UNKNOWN.has(call.name)) throw new Error(`${call.name} on ${target} is not simulated`);
    events.push(...eventsOf(call, basename(target), names));
  }
  return events.sort((one, other) => one.position - other.position);
}

function eventsOf(call: SystemCall, name: string, names: Set<string>): DiskEvent[] {
  const position = call.began;
  if (call.name === 'fsync' || call.name === 'fdatasync') {
    // The process was killed during the call, which may have had no effect.
    if (call.result === undefined) return [];
    return [{ kind: call.result === 0 ? 'sync' : 'failed sync', name, position: call.ended, began: call.began }];
  }
  if (call.result === -1) return [];
  if (call.result === undefined && call.name !== 'close') throw new Error(`${call.name} on ${name} was cut short`);
  switch (call.name) {
    case 'openat': {
      if (call.words.includes('O_TRUNC')) throw new Error(`${name} is truncated as it is opened`);
      if (names.has(name)) return [];
      names.add(name);
      return [{ kind: 'create', name, position }];
    }
    case 'unlink':
      names.delete(name);
      return [{ kind: 'unlink', name, position }];
    case 'pwrite64':
      return [{ kind: 'write', name, position, at: lastNumberOf(call), bytes: bytesOf(call) }];
    case 'ftruncate':
      return [{ kind: 'truncate', name, position, size: lastNumberOf(call) }];
    default:
      return [];
  }
}
