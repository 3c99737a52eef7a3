import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Testing from '../../src/proxy/node/testing/test-inventory.js';

/** The folder in which run.ts has installed the packages and the frameworks, and has built the hosts. */
export const FOLDER = process.env['HOSTS_FOLDER'] ?? '';

/** The function of the packed package. */
export const { serveTestInventory } = createRequire(join(FOLDER, 'package.json'))(
  'vendor-inventory-widget/testing',
) as typeof Testing;
