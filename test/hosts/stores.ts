// Runs in a page: all that the runtime can have stored there, as one text.

export async function readStores(): Promise<string> {
  const settled = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  if (typeof indexedDB === 'undefined') return JSON.stringify([localStorage, sessionStorage])
  const database = await settled(indexedDB.open('player-data'))
  const values = await settled(database.transaction('values').objectStore('values').getAll())
  database.close()
  return JSON.stringify([values, localStorage, sessionStorage])
}
