// A localStorage on a file, for Node, which has none: what a page keeps over a restart.

const { existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs')

function fileStorage(path) {
  const kept = new Map(existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : [])
  const save = () => {
    writeFileSync(`${path}.new`, JSON.stringify([...kept]))
    renameSync(`${path}.new`, path)
  }
  return {
    get length() {
      return kept.size
    },
    key: (at) => [...kept.keys()][at] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem(key, value) {
      kept.set(key, String(value))
      save()
    },
    removeItem(key) {
      if (kept.delete(key)) save()
    },
  }
}

module.exports = { fileStorage }
