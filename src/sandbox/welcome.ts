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
  PUT  /sandbox/habits           {"token_body": "json" or "form", "token_header": "X-Token", "token_prefix": "",
                                 "update_method": "POST", "PUT" or "PATCH",
                                 "update_path": "/v1/vendors/{vendor}/inventory",
                                 "results": "all" or "each" (207, a result for each item),
                                 "errors": "problem", "error_message" or "in_success" (200 to everything)},
                                 replaced as a whole
  POST /sandbox/expire-tokens    {}: all tokens issued until now get 401
`;
