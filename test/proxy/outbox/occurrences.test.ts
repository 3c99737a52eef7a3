import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isTimeZone, momentOf, nextOccurrence } from '../../../src/proxy/outbox/schedules/occurrences.js';

const BERLIN = 'Europe/Berlin';
const HOUR = 3_600_000;

function at(local: string, zone = BERLIN): number {
  return momentOf(local, zone);
}

function texts(found: { begin: number; end: number | undefined } | undefined): (string | undefined)[] | undefined {
  if (found === undefined) return undefined;
  return [found.begin, found.end].map((time) => (time === undefined ? undefined : new Date(time).toISOString()));
}

describe('when a schedule closes', () => {
  it('is at once or from a local time on, until another local time', () => {
    const now = at('2026-06-01T12:00');

    assert.deepEqual(texts(nextOccurrence({ until: '2026-06-05T09:00', time_zone: BERLIN }, now)), [
      '2026-06-01T10:00:00.000Z',
      '2026-06-05T07:00:00.000Z',
    ]);
    assert.deepEqual(texts(nextOccurrence({ from: '2026-06-03T09:00', time_zone: 'Asia/Tokyo' }, now)), [
      '2026-06-03T00:00:00.000Z',
      undefined,
    ]);
    assert.equal(nextOccurrence({ until: '2026-06-01T12:00', time_zone: BERLIN }, now), undefined);
  });

  it('lasts 23 hours on the day when daylight saving time begins, and 25 on the day when it ends', () => {
    const length = (from: string, until: string): number => {
      const found = nextOccurrence({ from, until, time_zone: BERLIN }, at('2026-01-01T00:00'));
      return ((found?.end ?? 0) - (found?.begin ?? 0)) / HOUR;
    };

    assert.equal(length('2026-03-29T00:00', '2026-03-30T00:00'), 23);
    assert.equal(length('2026-10-25T00:00', '2026-10-26T00:00'), 25);
  });

  it('moves a time that does not exist later, and uses the first of a time that exists twice', () => {
    assert.equal(new Date(at('2026-03-29T02:30')).toISOString(), '2026-03-29T01:30:00.000Z');
    assert.equal(new Date(at('2026-10-25T02:30')).toISOString(), '2026-10-25T00:30:00.000Z');
  });

  it('is every week at the same local time, in summer and in winter', () => {
    const mondays = { repeat: { days: ['mon' as const], from: '00:00', until: '00:00' }, time_zone: BERLIN };

    assert.deepEqual(texts(nextOccurrence(mondays, at('2026-10-20T12:00'))), [
      '2026-10-25T23:00:00.000Z',
      '2026-10-26T23:00:00.000Z',
    ]);
    assert.deepEqual(texts(nextOccurrence(mondays, at('2026-10-19T12:00'))), [
      '2026-10-18T22:00:00.000Z',
      '2026-10-19T22:00:00.000Z',
    ]);
  });

  it('merges days that touch each other, even across the end of the week', () => {
    const weekend = {
      repeat: { days: ['mon' as const, 'sun' as const], from: '00:00', until: '00:00' },
      time_zone: 'UTC',
    };

    assert.deepEqual(texts(nextOccurrence(weekend, Date.parse('2026-06-03T00:00Z'))), [
      '2026-06-07T00:00:00.000Z',
      '2026-06-09T00:00:00.000Z',
    ]);
  });

  it('crosses midnight if it ends before it begins', () => {
    const nights = { repeat: { days: ['fri' as const], from: '22:00', until: '06:00' }, time_zone: 'UTC' };

    assert.deepEqual(texts(nextOccurrence(nights, Date.parse('2026-06-06T05:00Z'))), [
      '2026-06-05T22:00:00.000Z',
      '2026-06-06T06:00:00.000Z',
    ]);
    assert.deepEqual(texts(nextOccurrence(nights, Date.parse('2026-06-06T06:00Z'))), [
      '2026-06-12T22:00:00.000Z',
      '2026-06-13T06:00:00.000Z',
    ]);
  });

  it('begins only within its bounds', () => {
    const bounded = {
      repeat: { days: ['mon' as const], from: '09:00', until: '17:00' },
      from: '2026-07-01T00:00',
      until: '2026-07-13T09:00',
      time_zone: 'UTC',
    };

    assert.equal(texts(nextOccurrence(bounded, Date.parse('2026-06-01T00:00Z')))?.[0], '2026-07-06T09:00:00.000Z');
    assert.equal(nextOccurrence(bounded, Date.parse('2026-07-06T17:00Z')), undefined);
  });

  it('needs a named time zone and no offset', () => {
    for (const name of ['Europe/Berlin', 'America/Argentina/Ushuaia', 'UTC', 'Asia/Kolkata'])
      assert.ok(isTimeZone(name));
    for (const name of ['+02:00', 'Mars/Phobos', '', 'CEST+1']) assert.ok(!isTimeZone(name), name);
  });
});
