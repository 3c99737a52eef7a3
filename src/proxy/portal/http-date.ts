/** The oldest date format (RFC 9110 section 5.6.7). It names no time zone and means UTC. */
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

const FORMS = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]+, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  ASCTIME,
];

/** Whether the text has one of the three formats. `Date.parse` alone accepts "-1" and "3.5" as dates. */
export function isHttpDate(text: string): boolean {
  return FORMS.some((form) => form.test(text));
}

/** Parses the date of a header. `Date.parse` alone reads the oldest format in the time zone of the machine. */
export function parseDate(date: string): number {
  return Date.parse(ASCTIME.test(date) ? `${date} GMT` : date);
}
