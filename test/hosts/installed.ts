import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Testing from '../../src/proxy/node/testing/test-inventory.js';

/** Where run.ts has installed the packages and the frameworks, and has built the hosts. */
export const FOLDER = process.env['HOSTS_FOLDER'] ?? '';

/** As the packed package has it. */
export const { serveTestInventory } = createRequire(join(FOLDER, 'package.json'))(
  'vendor-inventory-widget/testing',
) as typeof Testing;
