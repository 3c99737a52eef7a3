/** As the fields of `ProxyFailure` say. */
export interface FailureOptions {
  retryable: boolean;
  message: string;
  requestId?: string | undefined;
  retryAfterMs?: number;
  isRefused?: boolean;
  isAboutEdits?: boolean;
  edits?: readonly number[];
  cause?: unknown;
}

/**
 * Why a call to the proxy or to the host's session URL did not succeed. `code` is a problem code of the proxy, or one of
 * ours: `unreachable`, `unreadable`, `session_refused`, `session_unreachable`, `session_changed`. Texts for people are chosen by it.
 */
export class ProxyFailure extends Error {
  override readonly name = 'ProxyFailure';
  readonly code: string;
  /** The same request may succeed later without anybody changing it. */
  readonly retryable: boolean;
  /** Lets an operator find the request in the proxy's log. */
  readonly requestId: string | undefined;
  /** Milliseconds before which the proxy does not want to hear of it again. */
  readonly retryAfterMs: number;
  /** The proxy has not done what was asked for, for certain. */
  readonly isRefused: boolean;
  /** It is about what a batch says, not about who asks or how. */
  readonly isAboutEdits: boolean;
  /** Places in the batch, from 0, of the edits that it is about, where the proxy names them. */
  readonly edits: readonly number[];

  constructor(code: string, options: FailureOptions) {
    super(options.message, { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable;
    this.requestId = options.requestId;
    this.retryAfterMs = options.retryAfterMs ?? 0;
    this.isRefused = options.isRefused ?? code.startsWith('session_');
    this.isAboutEdits = options.isAboutEdits === true;
    this.edits = options.edits ?? [];
  }
}

/** What was asked or answered is about somebody else. */
export function sessionChanged(): ProxyFailure {
  return new ProxyFailure('session_changed', { retryable: true, message: 'another person is signed in now' });
}
