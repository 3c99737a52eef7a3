import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { generatedDocuments } from '../documents/generated-documents.js';

const documents = await generatedDocuments();

describe('the generated documents', () => {
  for (const [path, text] of documents) {
    it(`are up to date: ${path}`, () => {
      assert.ok(readFileSync(path, 'utf8') === text, `${path} is out of date: run npm run documents`);
    });
  }
});
