import { expect } from '@open-wc/testing';
import { endOfDay, localTime, tomorrowMorning, zoneOf } from '../../../src/client/schedules/local-time.js';

describe('a local time', () => {
  for (const [moment, zone, local, end] of [
    ['2026-06-01T22:30:00Z', 'Europe/Berlin', '2026-06-02T00:30', '2026-06-03T00:00'],
    ['2026-06-01T22:30:00Z', 'America/Los_Angeles', '2026-06-01T15:30', '2026-06-02T00:00'],
    ['2026-12-31T23:59:59Z', 'UTC', '2026-12-31T23:59', '2027-01-01T00:00'],
    // The days on which daylight saving time begins and ends.
    ['2026-03-28T23:30:00Z', 'Europe/Berlin', '2026-03-29T00:30', '2026-03-30T00:00'],
    ['2026-10-25T22:30:00Z', 'Europe/Berlin', '2026-10-25T23:30', '2026-10-26T00:00'],
    ['2026-06-01T22:30:00Z', 'Asia/Kathmandu', '2026-06-02T04:15', '2026-06-03T00:00'],
  ] as const) {
    it(`of ${moment} in ${zone} is ${local}, and its day ends at ${end}`, () => {
      expect(localTime(Date.parse(moment), zone)).to.equal(local);
      expect(endOfDay(Date.parse(moment), zone)).to.equal(end);
      expect(tomorrowMorning(Date.parse(moment), zone)).to.equal(end.replace('T00:00', 'T09:00'));
    });
  }

  it('is in the time zone of the device if the page names none, or an invalid one', () => {
    const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;

    expect(zoneOf(undefined)).to.equal(own);
    expect(zoneOf('Mars/Phobos')).to.equal(own);
    expect(zoneOf('Asia/Tokyo')).to.equal('Asia/Tokyo');
  });
});
