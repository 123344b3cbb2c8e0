// `player-data-runtime/node`: what Node has to add.

export { fileStorage } from './storage.ts'
