/** A proxy's answer about a person who may change many items at once. */
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
