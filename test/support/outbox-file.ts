import { rmSync } from 'node:fs';
import { it } from 'node:test';
import { join } from 'node:path';
import { openSqliteOutbox } from '../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import type { Outbox } from '../../src/proxy/outbox/outbox.js';
import { scratchFolder } from './scratch-folder.js';

/** A SQLite outbox with a real file in a folder of its own, which a test may close and open repeatedly. */
export class OutboxFile {
  readonly folder = scratchFolder();
  readonly path = join(this.folder, 'inventory.sqlite');
  #outbox: Outbox | undefined;

  open(): Outbox {
    this.#outbox = openSqliteOutbox(this.path);
    return this.#outbox;
  }

  /** Closes and opens the outbox, as a restart of the process does. */
  async reopen(): Promise<Outbox> {
    await this.#outbox?.close();
    return this.open();
  }

  async remove(): Promise<void> {
    await this.#outbox?.close();
    rmSync(this.folder, { recursive: true });
  }
}

/** Declares a test with an outbox file of its own, which is deleted after it. */
export function testOnFile(title: string, body: (file: OutboxFile) => Promise<void>): void {
  it(title, async () => {
    const file = new OutboxFile();
    try {
      await body(file);
    } finally {
      await file.remove();
    }
  });
}
