/** The session response for a person with large batch limits. */
export function bulkSession(): object {
  const now = Date.now();
  return {
    vendor: 'harbour-tours',
    subject: 'anna',
    permissions: ['view', 'edit', 'bulk'],
    limits: { max_edits: 500, max_body_bytes: 262_144 },
    server_time: new Date(now).toISOString(),
    expires_at: new Date(now + 900_000).toISOString(),
    version: '0.1.0',
  };
}
