/** The oldest form of a date (RFC 9110 section 5.6.7). It names no zone and means UTC. */
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

const FORMS = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]+, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  ASCTIME,
];

/** Whether a text is one of the three forms. `Date.parse` alone takes "-1" and "3.5" for days long ago. */
export function isHttpDate(text: string): boolean {
  return FORMS.some((form) => form.test(text));
}

/** Of a header: `Date.parse` alone would take the oldest form for a time of this machine's zone. */
export function parseDate(date: string): number {
  return Date.parse(ASCTIME.test(date) ? `${date} GMT` : date);
}
