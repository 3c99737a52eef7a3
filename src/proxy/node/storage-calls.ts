import type { MessagePort } from 'node:worker_threads';
import { LeaseLost, StorageFailed, type Outbox } from '../outbox.js';
import type { EndedRow } from './sqlite-ended-sessions.js';

// What the thread of the proxy and that of its store say to each other, by structured clone.

/** Calls that take and give nothing but data. */
export const PLAIN_CALLS = [
  'accept',
  'receipts',
  'list',
  'revision',
  'history',
  'waiting',
  'count',
  'waitingBytes',
  'heldLanes',
  'limitWaits',
  'tryOthers',
  'giveItems',
  'leaseLane',
  'due',
  'openAttempt',
  'settle',
  'unpark',
  'releaseLane',
  'nextDue',
  'portalOffset',
  'notePortalOffset',
  'prune',
] as const satisfies readonly (keyof Outbox)[];

export type PlainCall = (typeof PLAIN_CALLS)[number];

export interface Call {
  readonly id: number;
  readonly name: PlainCall | 'decide' | 'moveLanes' | 'end' | 'close';
  readonly words: readonly unknown[];
}

export type Saying =
  /** The first: the store is open. */
  | { readonly kind: 'open'; readonly endings: readonly EndedRow[] }
  /** The only one: it is not. */
  | { readonly kind: 'refused'; readonly failure: Failure }
  | { readonly kind: 'done'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: Failure }
  /** What `Outbox.subscribe` tells. */
  | { readonly kind: 'changed'; readonly vendor: string; readonly elsewhere: boolean | undefined }
  /** To be called: the function that came with a call of `moveLanes`. */
  | { readonly kind: 'items_are_in'; readonly id: number };

/** Asked of the function that came with a call, by a thread that waits for its word. */
export interface Question {
  readonly id: number;
  readonly words: readonly string[];
}

/** The answer to it. */
export type Word = { readonly value: unknown } | { readonly failure: Failure };

/** What the store's thread is started with. */
export interface StorageThreadData {
  readonly path: string;
  readonly questions: MessagePort;
  /** 1 once the question that was asked last has its answer. */
  readonly isAnswered: Int32Array;
}

/** An error as it crosses threads: a clone keeps neither its class nor what was put on it. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly lane?: string;
}

export function failureOf(error: unknown): Failure {
  if (error instanceof LeaseLost) return { name: error.name, message: error.message, lane: error.lane };
  if (error instanceof Error) return { name: error.name, message: error.message };
  return { name: 'Error', message: String(error) };
}

export function errorOf({ name, message, lane }: Failure): Error {
  if (name === 'StorageFailed') return new StorageFailed(message);
  if (name === 'LeaseLost' && lane !== undefined) return new LeaseLost(lane);
  return Object.assign(new Error(message), { name });
}
