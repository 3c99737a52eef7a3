import { SignJWT, UnsecuredJWT, type JWTHeaderParameters, type JWTPayload } from 'jose';
import { HOST_ORIGIN, PROXY_URL, SESSION_SECRET } from './page-request.js';

/** Any claims, including those that `signEmbedToken` would refuse. */
export type Claims = Readonly<Record<string, unknown>>;

export type SigningKey = Parameters<SignJWT['sign']>[0];

/** The claims of a valid token at this second. Setting one to `undefined` leaves it out. */
export function goodClaims(nowSeconds: number): Claims {
  return {
    iss: HOST_ORIGIN,
    aud: PROXY_URL,
    sub: 'ada',
    vendor: 'boat-tours',
    permissions: ['view', 'edit'],
    origin: HOST_ORIGIN,
    iat: nowSeconds,
    exp: nowSeconds + 600,
    jti: 'token-1',
  };
}

export async function signed(
  claims: Claims,
  header: JWTHeaderParameters = { alg: 'HS256' },
  key: SigningKey = new TextEncoder().encode(SESSION_SECRET),
): Promise<string> {
  const crit = Object.fromEntries((header.crit ?? []).map((name) => [name, true]));
  return new SignJWT(claims as JWTPayload).setProtectedHeader(header).sign(key, { crit });
}

export function unsigned(claims: Claims): string {
  return new UnsecuredJWT(claims as JWTPayload).encode();
}
