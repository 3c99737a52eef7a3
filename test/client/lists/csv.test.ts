import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { decodeCsv, readCsv, writeCsv } from '../../../src/client/lists/csv.js';
import { tryInBrowser } from '../support/try-in-browser.js';

function cellsOf(text: string): (readonly string[])[] {
  return [...readCsv(text)].map(({ cells }) => cells);
}

/** Cells that a spreadsheet, a parser or a writer may misread. */
const cell = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc
    .tuple(
      fc.constantFrom('=', '+', '-', '@', '\t', '\r', "'", "''", '"', ',', ';', ' ', '\n', '\uFEFF', ''),
      fc.string({ maxLength: 6 }),
      fc.constantFrom('"', ' ', '\r\n', "'", ';', ''),
    )
    .map((parts) => parts.join('')),
);

describe('a list as comma-separated values', () => {
  it('is the same byte for byte after it was written, read and written again', async () => {
    await tryInBrowser(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell), { maxLength: 1_100 }), async (rows) => {
        const written = writeCsv([['id', 'label'], ...rows]);

        const read = cellsOf(written);

        const full = rows.filter((cells) => cells.some((text) => text !== ''));
        expect(read).to.deep.equal([['id', 'label'], ...full]);
        if (full.length === rows.length) expect(writeCsv(read)).to.equal(written);
        await Promise.resolve();
      }),
      60,
    );
  });

  it('gets a quote before each cell that a spreadsheet would run, and loses exactly one when it is read', () => {
    const cells = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', "'", "''=1", 'a=1'];

    const written = writeCsv([cells]);

    expect(written).to.equal(
      `\uFEFF"'=1+1","'+1","'-1","'@SUM(A1)","'\tx","'\rx","''","'''=1",a=1\r\n`,
      'each is quoted, and what is no formula is as it was',
    );
    expect(cellsOf(written)).to.deep.equal([cells]);
  });

  for (const [what, text] of [
    ['commas', 'id,available\na,yes\nb,no'],
    ['semicolons, a mark and CRLF', '\uFEFFid;available\r\na;yes\r\nb;no\r\n'],
    ['tabs, as a spreadsheet copies them', 'id\tavailable\na\tyes\nb\tno\n'],
    ['empty lines', '\nid,available\n\n\na,yes\n,\nb,no\n\n'],
  ] as const) {
    it(`is read with ${what}`, () => {
      expect(cellsOf(text)).to.deep.equal([
        ['id', 'available'],
        ['a', 'yes'],
        ['b', 'no'],
      ]);
    });
  }

  it('counts lines as a text editor does, also after a cell with a line break', () => {
    const lines = [...readCsv('id,label\r\na,"one\r\ntwo"\r\n\r\nb,three\r\n')].map(({ line }) => line);

    expect(lines).to.deep.equal([1, 2, 5]);
  });

  it('reports the row with a quote that is not closed, and ends there', () => {
    const rows = [...readCsv('a,yes\nb,"no\nc,yes\n')];

    expect(rows.map(({ line, isMalformed }) => [line, isMalformed])).to.deep.equal([
      [1, false],
      [2, true],
    ]);
  });

  it('is read in UTF-8, UTF-16 and Windows-1252', () => {
    const utf16 = new Uint8Array([0xff, 0xfe, 0x42, 0x00, 0xf6, 0x00]);

    expect(decodeCsv(new TextEncoder().encode('Bö'))).to.equal('Bö');
    expect(decodeCsv(utf16)).to.equal('Bö');
    expect(decodeCsv(new Uint8Array([0x42, 0xf6]))).to.equal('Bö');
  });
});
