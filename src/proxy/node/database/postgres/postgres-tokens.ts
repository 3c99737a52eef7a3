import { createTokenSeal, type TokenSeal, type TokenSubject } from '../../../portal/token-seal.js';
import {
  findToken,
  type NewToken,
  type SharedToken,
  type TokenFound,
  type TokenStore,
  type TokenWanted,
} from '../../../portal/token-store.js';
import { CLOCK, type Readers } from './postgres-connection.js';

/** One row per client secret, so few that they are never deleted. Times are on the database's clock. */
export const TOKEN_TABLE = `CREATE TABLE portal_token (
  place text COLLATE "C" PRIMARY KEY,
  fence bigint NOT NULL,
  leased_until bigint NOT NULL DEFAULT 0,
  refused_until bigint NOT NULL DEFAULT 0,
  generation bigint NOT NULL DEFAULT 0 CHECK (generation <= fence),
  sealed bytea,
  asked_at bigint NOT NULL DEFAULT 0,
  life bigint NOT NULL DEFAULT 0
)`;

interface TokenRow {
  readonly fence: number;
  readonly generation: number;
  readonly sealed: Uint8Array | null;
  readonly age: number;
  readonly life: number;
  readonly leased_for: number;
  readonly refused_for: number;
}

// The machines' clocks may differ by more than a lease lasts, so the database's clock is used, which they share.
const READ = `SELECT fence, generation, sealed, clock.now - asked_at AS age, life,
      leased_until - clock.now AS leased_for, refused_until - clock.now AS refused_for
    FROM portal_token, (SELECT ${CLOCK} AS now) AS clock WHERE place = $1`;

/** Takes effect only if no proxy has claimed or published since the row was read. */
const CLAIM = `INSERT INTO portal_token (place, fence, leased_until) VALUES ($1, $2::bigint + 1, ${CLOCK} + $4::bigint)
    ON CONFLICT (place) DO UPDATE SET fence = excluded.fence, leased_until = excluded.leased_until
      WHERE portal_token.fence = $2 AND portal_token.generation = $3
    RETURNING fence`;

const PUBLISH = `UPDATE portal_token SET generation = fence, sealed = $3, asked_at = ${CLOCK} - $4::bigint, life = $5,
      leased_until = 0, refused_until = 0
    WHERE place = $1 AND fence = $2 RETURNING fence`;

const RELEASE = `UPDATE portal_token SET leased_until = 0,
      refused_until = CASE WHEN $3::bigint = 0 THEN refused_until ELSE ${CLOCK} + $3::bigint END
    WHERE place = $1 AND fence = $2`;

/**
 * The token of one credential in PostgreSQL, shared by all proxies on it. Each call is one or two short statements, so no
 * lock is held while the portal is called. The row has the token encrypted (`token-seal.ts`).
 */
export class PostgresTokenStore implements TokenStore {
  readonly #queries: Readers;
  readonly #seal: Promise<TokenSeal>;

  constructor(queries: Readers, subject: TokenSubject) {
    this.#queries = queries;
    this.#seal = createTokenSeal(subject);
  }

  async claim(want: TokenWanted): Promise<TokenFound> {
    const { place } = await this.#seal;
    for (;;) {
      const [row] = await this.#queries.query<TokenRow>(READ, place);
      const found = row && findToken(await this.#recordOf(row), want);
      if (found !== undefined) return found;
      const { fence = 0, generation = 0 } = row ?? {};
      const leaseMs = Math.ceil(want.leaseMs);
      const [won] = await this.#queries.query<{ fence: number }>(CLAIM, place, fence, generation, leaseMs);
      if (won !== undefined) return { kind: 'claimed', fence: won.fence };
    }
  }

  async publish(fence: number, { value, ageMs, lifeMs }: NewToken): Promise<boolean> {
    const { place, seal } = await this.#seal;
    const sealed = Buffer.from(await seal(value, fence));
    const whole = [Math.ceil(ageMs), Math.floor(lifeMs)];
    return (await this.#queries.query(PUBLISH, place, fence, sealed, ...whole)).length > 0;
  }

  async refuse(fence: number, pauseMs: number): Promise<void> {
    await this.#queries.query(RELEASE, (await this.#seal).place, fence, Math.ceil(pauseMs));
  }

  async release(fence: number): Promise<void> {
    await this.#queries.query(RELEASE, (await this.#seal).place, fence, 0);
  }

  async #recordOf(row: TokenRow) {
    return { token: await this.#tokenOf(row), leasedForMs: row.leased_for, refusedForMs: row.refused_for };
  }

  /** A token that cannot be decrypted is treated as missing. */
  async #tokenOf({ sealed, generation, age, life }: TokenRow): Promise<SharedToken | undefined> {
    const value = sealed === null ? undefined : await (await this.#seal).open(sealed, generation);
    return value && { value, generation, ageMs: age, lifeMs: life };
  }
}
