/** What a person reads who opens the sandbox's address in a browser. */
export const WELCOME = `Sandbox portal

This plays the tourism and craft portal while you develop and test. It keeps everything in memory, remembers every
request that it received, and misbehaves when told to. It is not the portal, and nothing here reaches it.

The portal that it plays, by its usual habits
  POST /v1/oauth/token           {"client_id", "client_secret", "grant_type": "client_credentials"}
  POST /v1/inventory             {"inventory": [{"id", "available", "updated_at"}]}, Authorization: Bearer

The sandbox itself (no credentials; changes need Content-Type: application/json)
  GET  /sandbox/journal?after=N  every portal request in order of arrival; N is the last seq that you have
  GET  /sandbox/items            what the portal holds, ordered by arrival and by updated_at
  GET  /sandbox/faults           the faults that are switched on
  PUT  /sandbox/faults           {"down": boolean, "delay_ms": 0 to 60000, "refuse_items": [id]}, replaced as a whole
  GET  /sandbox/habits           how this portal does what the portal's document leaves open
  PUT  /sandbox/habits           any of these, replaced as a whole:
       token request             "token_body": "json" or "form", "token_fields": {"scope": "inventory"},
                                 "tells_lifetime": false (an answer without expires_in)
       token of an update        "token_header": "X-Token", "token_prefix": ""
       address of an update      "update_method": "POST", "PUT" or "PATCH",
                                 "update_path": "/v1/vendors/{vendor}/inventory"
       head of an update         "update_headers": {"X-Version": "1"}, "idempotency_header": "Idempotency-Key"
       updated_at                "stamps": "any", "milliseconds" or "seconds"
       limits                    "most_items": 100, "most_bytes": 262144, "calls_per_second": 2, "calls_in_flight": 1,
                                 "says_when": "retry_after", "ratelimit" or "no" (what a 429 says)
       answer                    "results": "all" or "each" (207, a result for each item),
                                 "taken_status": 200, 201, 202 or 204,
                                 "refused_status": 400, 403, 404, 409, 410 or 422,
                                 "errors": "problem", "error_message" or "in_success" (200 to everything)
  POST /sandbox/expire-tokens    {}: all tokens issued until now get 401
`;
