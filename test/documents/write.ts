import { writeFileSync } from 'node:fs';
import { generatedDocuments } from './generated-documents.js';

// `npm run documents`
for (const [path, text] of await generatedDocuments()) {
  writeFileSync(path, text);
  process.stdout.write(`${path}\n`);
}
