/** RFC 7519 says nothing of how long a token may live; we do. */
export const MAX_TOKEN_LIFETIME_SECONDS = 15 * 60;

/** For so long before its start and after its end a token is taken, because clocks differ. */
export const CLOCK_TOLERANCE_SECONDS = 60;
