import { promisifyRequest } from 'idb-keyval';

/** Opens a database as any script of the page can. @param version absent: the current one */
export function openDatabase(
  name: string,
  version?: number,
  upgrade: (database: IDBDatabase) => void = () => undefined,
): Promise<IDBDatabase> {
  const request = indexedDB.open(name, version);
  request.onupgradeneeded = () => {
    upgrade(request.result);
  };
  return promisifyRequest(request);
}

export async function deleteDatabase(name: string): Promise<void> {
  await promisifyRequest(indexedDB.deleteDatabase(name) as IDBRequest);
}

/** All rows of one table, or those in a range. */
export async function rowsIn<T>(name: string, table: string, range?: IDBKeyRange): Promise<T[]> {
  const database = await openDatabase(name);
  const rows = await promisifyRequest<T[]>(database.transaction(table).objectStore(table).getAll(range));
  database.close();
  return rows;
}
