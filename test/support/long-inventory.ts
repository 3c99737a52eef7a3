/** The edits of a batch of about 40 kB, with the fields and their order as a page sends them. */
export const LONG_INVENTORY = Array.from({ length: 300 }, (_, at) => ({
  id: `tour-${String(at)}`,
  available: at % 2 === 0,
  updated_at: '2026-11-21T08:30:00.000Z',
  edit_id: `${'e'.repeat(40)}-${String(at)}`,
}));
