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
  PUT  /sandbox/habits           any of these; what is left out becomes usual, which stands first
       token request             "token_body": "json" or "form", "token_fields": {} or {"scope": "inventory"}
       its answer                "tells_lifetime": true or false (no expires_in), "token_lifetime": seconds (3600)
       token of an update        "token_header": "Authorization", "token_prefix": "Bearer ",
                                 "bad_token_status": 401 or 403
       address of an update      "update_method": "POST", "PUT" or "PATCH",
                                 "update_path": "/v1/inventory" or "/v1/vendors/{vendor}/inventory"
       head of an update         "update_headers": {} or {"X-Version": "1"} (without them 400),
                                 "idempotency_header": none, or "Idempotency-Key" (without it 400; what comes under
                                 one name again is answered alike and not applied)
       updated_at                "stamps": "any", "milliseconds" or "seconds"
       limits                    "most_items": 100, "most_bytes": 262144,
                                 "calls_per_second": no limit, or 2, "calls_in_flight": no limit, or 1,
                                 "too_many_status": 429, 403 or 503,
                                 "says_when": "retry_after", "ratelimit" or "no" (when the next one is welcome)
       answer                    "taken_status": 200, 201, 202 or 204,
                                 "refused_status": 422, 400, 403, 404, 409 or 410,
                                 "results": "all" or "each" (207, with one of these for each item),
                                 "errors": "problem", "error_message" or "in_success" (200 to everything)
  POST /sandbox/expire-tokens    {}: all tokens issued until now get 401
`;
