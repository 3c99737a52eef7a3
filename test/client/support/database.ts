import { promisifyRequest } from 'idb-keyval';

/** Opens a database as any script of the page could, at the version that it has where none is named. */
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

/** Everything in one table of a database, or what is in this range of it. */
export async function rowsIn<T>(name: string, table: string, range?: IDBKeyRange): Promise<T[]> {
  const database = await openDatabase(name);
  const rows = await promisifyRequest<T[]>(database.transaction(table).objectStore(table).getAll(range));
  database.close();
  return rows;
}
