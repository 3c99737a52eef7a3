import type { Truth } from '../domain/truth.js';

/** Everything that the elements ever say, one flat typed object for each language. */
export interface Dictionary {
  readonly available: string;
  readonly notAvailable: string;
  readonly notSetYet: string;
  /** The value comes from the host's page alone. */
  readonly asGiven: string;
  readonly truth: Readonly<Record<Truth, string>>;
  readonly waitingForNetwork: string;
  readonly waitingForSignIn: string;
  readonly unsaved: string;
  readonly tryAgain: string;
  /** Why the portal does not have a received edit yet, by reason code. */
  readonly delayed: (reason: string | undefined) => string;
  /** Why an edit needs attention and what to do, by reason code. */
  readonly attention: (reason: string | undefined) => string;
  /** What is wrong with the connection and what to do, by problem code. */
  readonly connection: (problem: string | undefined) => string;
  readonly signedOut: string;
  /** After the person asked for it. */
  readonly goodbye: string;
  readonly signOutUnsent: (count: number) => string;
  readonly signOutSend: string;
  readonly signOutDelete: string;
  readonly signOutStay: string;
  readonly missingProxy: string;
  readonly badItem: string;
  readonly secretGiven: (attribute: string) => string;
  readonly requestId: (id: string) => string;
  readonly inventory: string;
  readonly loading: string;
  readonly empty: string;
  readonly openCount: (count: number) => string;
  readonly nothingOpen: string;
  readonly readOnly: string;
}
