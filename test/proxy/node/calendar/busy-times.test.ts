import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { busyTimes } from '../../../../src/proxy/node/calendar/busy-times.js';

const BERLIN = 'Europe/Berlin';
/** Winter in Berlin: one hour ahead of UTC. */
const NOW = Date.parse('2026-01-01T00:00:00Z');

type Lines = readonly string[];

function calendar(...components: readonly Lines[]): string {
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN', ...components.flat(), 'END:VCALENDAR', ''].join(
    '\r\n',
  );
}

function event(...lines: Lines): Lines {
  return ['BEGIN:VEVENT', 'UID:one', 'DTSTAMP:20260101T000000Z', ...lines, 'END:VEVENT'];
}

function busy(text: string, timeZone = BERLIN, now = NOW): string[] {
  return busyTimes(text, timeZone, now).map(({ begin, end }) => [begin, end].map(shortIso).join(' '));
}

function shortIso(time: number): string {
  return new Date(time).toISOString().replace(':00.000Z', 'Z');
}

const MORNING = ['DTSTART:20260105T090000Z', 'DTEND:20260105T100000Z'];

describe('a calendar', () => {
  it('is busy during its events, whose end is exclusive', () => {
    assert.deepEqual(busy(calendar(event(...MORNING))), ['2026-01-05T09:00Z 2026-01-05T10:00Z']);
  });

  it('is busy on whole days in the time zone of the vendor, except the day of DTEND', () => {
    const days = (from: string, to: string): Lines => event(`DTSTART;VALUE=DATE:${from}`, `DTEND;VALUE=DATE:${to}`);

    assert.deepEqual(busy(calendar(days('20260105', '20260107'))), ['2026-01-04T23:00Z 2026-01-06T23:00Z']);
    assert.deepEqual(busy(calendar(days('20260105', '20260106')), 'America/New_York'), [
      '2026-01-05T05:00Z 2026-01-06T05:00Z',
    ]);
    assert.deepEqual(busy(calendar(event('DTSTART;VALUE=DATE:20260105'))), ['2026-01-04T23:00Z 2026-01-05T23:00Z']);
  });

  it('is busy for 23 hours on the day when daylight saving time begins, and for 25 when it ends', () => {
    const hours = (day: string, next: string): number[] =>
      busyTimes(calendar(event(`DTSTART;VALUE=DATE:${day}`, `DTEND;VALUE=DATE:${next}`)), BERLIN, NOW).map(
        ({ begin, end }) => (end - begin) / 3_600_000,
      );

    assert.deepEqual(hours('20260329', '20260330'), [23]);
    assert.deepEqual(hours('20261025', '20261026'), [25]);
  });

  it('reads times with an IANA time zone, without a VTIMEZONE', () => {
    const zoned = event('DTSTART;TZID=America/New_York:20260705T090000', 'DTEND;TZID=America/New_York:20260705T100000');

    assert.deepEqual(busy(calendar(zoned)), ['2026-07-05T13:00Z 2026-07-05T14:00Z']);
  });

  it('reads times with a time zone that only the calendar defines', () => {
    const zone = [
      'BEGIN:VTIMEZONE',
      'TZID:Some House Time',
      'BEGIN:STANDARD',
      'DTSTART:16010101T000000',
      'TZOFFSETFROM:+0330',
      'TZOFFSETTO:+0330',
      'END:STANDARD',
      'END:VTIMEZONE',
    ];
    const zoned = event('DTSTART;TZID=Some House Time:20260705T093000', 'DURATION:PT1H');

    assert.deepEqual(busy(calendar(zone, zoned)), ['2026-07-05T06:00Z 2026-07-05T07:00Z']);
    assert.throws(() => busy(calendar(zoned)), { name: 'UnreadableCalendar' });
  });

  it('reads times without a time zone in that of the vendor', () => {
    const floating = calendar(event('DTSTART:20260705T090000', 'DTEND:20260705T100000'));

    assert.deepEqual(busy(floating), ['2026-07-05T07:00Z 2026-07-05T08:00Z']);
    assert.deepEqual(busy(floating, 'Asia/Tokyo'), ['2026-07-05T00:00Z 2026-07-05T01:00Z']);
  });

  it('repeats events at the same local time in winter and in summer', () => {
    const weekly = event(
      `DTSTART;TZID=${BERLIN}:20260323T090000`,
      `DTEND;TZID=${BERLIN}:20260323T100000`,
      'RRULE:FREQ=WEEKLY;COUNT=2',
    );

    assert.deepEqual(busy(calendar(weekly)), [
      '2026-03-23T08:00Z 2026-03-23T09:00Z',
      '2026-03-30T07:00Z 2026-03-30T08:00Z',
    ]);
  });

  it('omits excluded times and dates, also after an EXDATE without an occurrence', () => {
    const daily = (...lines: Lines): Lines => event(...MORNING, 'RRULE:FREQ=DAILY;COUNT=4', ...lines);
    const first = '2026-01-05T09:00Z 2026-01-05T10:00Z';
    const last = '2026-01-08T09:00Z 2026-01-08T10:00Z';

    assert.deepEqual(busy(calendar(daily('EXDATE:20260106T090000Z,20260107T090000Z'))), [first, last]);
    assert.deepEqual(
      busy(calendar(daily('EXDATE:20260105T120000Z', 'EXDATE:20260106T090000Z', 'EXDATE:20260107T090000Z'))),
      [first, last],
    );
    assert.deepEqual(busy(calendar(daily('EXDATE;VALUE=DATE:20260106,20260107'))), [first, last]);
  });

  it('adds RDATE, and moves or cancels single occurrences', () => {
    const daily = event(...MORNING, 'RRULE:FREQ=DAILY;COUNT=3', 'RDATE:20260120T090000Z');
    const moved = event('RECURRENCE-ID:20260106T090000Z', 'DTSTART:20260106T150000Z', 'DTEND:20260106T170000Z');
    const cancelled = event(
      'RECURRENCE-ID:20260107T090000Z',
      'STATUS:CANCELLED',
      'DTSTART:20260107T090000Z',
      'DTEND:20260107T100000Z',
    );

    assert.deepEqual(busy(calendar(daily, moved, cancelled)), [
      '2026-01-05T09:00Z 2026-01-05T10:00Z',
      '2026-01-06T15:00Z 2026-01-06T17:00Z',
      '2026-01-20T09:00Z 2026-01-20T10:00Z',
    ]);
  });

  it('is free during events that are cancelled, transparent or of no duration', () => {
    const free = [
      event(...MORNING, 'STATUS:CANCELLED'),
      event(...MORNING, 'TRANSP:TRANSPARENT'),
      event('DTSTART:20260105T090000Z'),
      event('DTSTART:20260105T090000Z', 'DTEND:20260105T080000Z'),
    ];

    assert.deepEqual(busy(calendar(...free)), []);
    assert.deepEqual(busy(calendar()), []);
  });

  it('merges overlapping and adjacent times, and omits the past and more than a year ahead', () => {
    const times = [
      ['20251231T220000Z', '20251231T235900Z'],
      ['20251231T230000Z', '20260101T010000Z'],
      ['20260101T010000Z', '20260101T020000Z'],
      ['20260101T013000Z', '20260101T014500Z'],
      ['20280101T000000Z', '20280101T010000Z'],
    ].map(([from, to]) => event(`DTSTART:${String(from)}`, `DTEND:${String(to)}`));

    assert.deepEqual(busy(calendar(...times)), ['2025-12-31T23:00Z 2026-01-01T02:00Z']);
  });

  for (const [what, text] of [
    ['an empty text', ''],
    ['a web page', '<!doctype html><title>Sign in</title>'],
    ['a calendar that was cut off', calendar(event(...MORNING)).slice(0, -20)],
    ['a calendar without its end', calendar(event(...MORNING)).replace('END:VCALENDAR\r\n', '')],
    ['an address book', 'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ada\r\nEND:VCARD\r\n'],
    ['an event without a beginning', calendar(event(...MORNING), event('SUMMARY:when?'))],
    ['an event whose beginning is no time', calendar(event('DTSTART:2026', 'DURATION:PT1H'))],
    ['a rule of another frequency', calendar(event(...MORNING, 'RRULE:FREQ=SOMETIMES'))],
  ] as const) {
    it(`is rejected as a whole: ${what}`, () => {
      assert.throws(() => busy(text), { name: 'UnreadableCalendar' });
    });
  }
});
