import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { ProxyConfig } from '../../config/proxy-config.js';
import { connect, DEFAULT_SCHEMA, endQuietly, RIGHTS_NEEDED } from '../../database/postgres/postgres-connection.js';
import { askDurable } from '../../database/postgres/postgres-database.js';
import type { WriteLine } from './check-report.js';

/**
 * Checks whether a proxy could store its edits in this database. A PostgreSQL database is queried and not changed; a SQLite
 * file is not opened, because a proxy may have it open.
 *
 * @returns whether it could, as far as this can be seen from outside
 */
export async function checkDatabase(
  { database }: Pick<ProxyConfig, 'database'>,
  writeLine: WriteLine,
): Promise<boolean> {
  const fault = database.kind === 'file' ? fileFault(database.path) : await postgresFault(database.url.reveal());
  if (fault !== undefined) writeLine(`Database: ${fault}. Check DATABASE_URL.`);
  else if (database.kind === 'file')
    writeLine(`Database: the file ${database.path}. Not opened, since a proxy may have it.`);
  else writeLine('Database: PostgreSQL answers, and its settings keep what it takes.');
  return fault === undefined;
}

function fileFault(path: string): string | undefined {
  const folder = dirname(resolve(path));
  try {
    accessSync(folder, constants.W_OK);
    if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK);
    return undefined;
  } catch (error) {
    const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return isGone ? `there is no folder ${folder}` : `this user may not write ${path}, or files beside it`;
  }
}

async function postgresFault(url: string): Promise<string | undefined> {
  try {
    const client = await connect({ url, schema: DEFAULT_SCHEMA });
    try {
      await askDurable(client);
      const found = await client.query<{ may: boolean }>(
        `SELECT has_database_privilege(current_database(), 'CREATE') OR EXISTS (
           SELECT FROM pg_namespace WHERE nspname = $1 AND has_schema_privilege(nspname, 'CREATE')) AS may`,
        [DEFAULT_SCHEMA],
      );
      return found.rows[0]?.may === true ? undefined : `no tables can be made in ${DEFAULT_SCHEMA}; ${RIGHTS_NEEDED}`;
    } finally {
      await endQuietly(client);
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
