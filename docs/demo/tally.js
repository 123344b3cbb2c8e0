// The books: tracked = delivered + waiting + dropped. Each number has a source of its own, so that the sum can fail:
// - tracked: the game's own count, kept in localStorage at each event
// - delivered: what the sandbox says it has of this player, each event counted once
// - waiting, dropped: the runtime's `stats()`; while there is no game to ask, waiting is what the others leave
//
// What a sum may lack is only what a killed tab had tracked and not yet stored. That is shown as lost, never hidden.
// The books outlive the game and the page.

/** A new tab looks for what a dead one left at its start, and again after ten seconds: then it is certain what is there. */
const CERTAIN_MS = 12_000
/** By then it has looked, unless the dead one's locks were still held. */
const LIKELY_MS = 2000

export function createTally(place) {
  const own = `${place} tally`
  const fresh = () => ({ tracked: 0, received: 0, earlier: 0, duplicates: 0, drops: {}, lost: 0, atRisk: 0, userId: undefined, lives: 0 })
  let book = Object.assign(fresh(), read(own))
  /** The last report of the game that lives, and since when it does. */
  let game

  function read(key) {
    try {
      return JSON.parse(localStorage.getItem(key))
    } catch {
      return null
    }
  }

  function save() {
    try {
      localStorage.setItem(own, JSON.stringify(book))
    } catch {
      // No storage: the books live as long as the page.
    }
  }

  /** Takes the game's numbers into the books. */
  function enter(report, life) {
    book.tracked = Math.max(book.tracked, report.tracked)
    book.userId = report.userId ?? book.userId
    book.drops[life] = Object.values(report.dropped).reduce((sum, count) => sum + count, 0)
    save()
  }

  return {
    get userId() {
      return book.userId
    },
    /** Numbers a new life of the game. */
    begin() {
      book.lives += 1
      book.tracked = Math.max(book.tracked, read(place)?.tracked ?? 0)
      game = undefined
      save()
      return String(book.lives)
    },
    /**
     * The game's numbers of this moment. Where something was delivered since the service was asked, its number is too old to go with these:
     * they wait for the next `receive`. False then.
     */
    report(report, life, now) {
      if (game && report.delivered !== game.report.delivered) return false
      game = { report, life, since: game?.since ?? now }
      enter(report, life)
      return true
    },
    /**
     * What the service has of this player, and the game's numbers to go with it, where there is a game. A sandbox that was started anew has
     * forgotten what it had; the books have not.
     */
    receive({ distinct, duplicates }, report) {
      if (distinct < book.received) book.earlier += book.received
      book.received = distinct
      book.duplicates = duplicates
      if (game && report) {
        game.report = report
        enter(report, game.life)
      }
      save()
    },
    /** The game is gone; `report` are its last numbers, where it was killed. A tab that closes in good order loses nothing. */
    end(report) {
      if (report && game) enter(report, game.life)
      book.atRisk += report ? report.tracked - report.stored : 0
      book.tracked = Math.max(book.tracked, read(place)?.tracked ?? 0)
      game = undefined
      save()
    },
    /** Somebody else plays: everything from the start. */
    reset() {
      book = { ...fresh(), lives: book.lives }
      game = undefined
      save()
    },
    /**
     * The sum as it stands. `gap` is what it lacks (above 0), or has too much (below 0: the service has them and the game has not read the
     * receipt). A gap that a kill explains is `lost`: at first as it seems, and booked when it is certain.
     */
    sum(now) {
      const tracked = game ? game.report.tracked : book.tracked
      const delivered = book.earlier + book.received
      const dropped = Object.values(book.drops).reduce((sum, count) => sum + count, 0)
      const left = tracked - delivered - dropped - book.lost
      const waiting = game ? Math.min(left, game.report.buffered) : left
      const gap = game ? left - game.report.buffered : 0
      const age = game ? now - game.since : 0
      const isExplained = gap > 0 && gap <= book.atRisk
      const isLooking = gap > 0 && age < (isExplained ? LIKELY_MS : CERTAIN_MS)
      const lost = book.lost + (isExplained && !isLooking ? gap : 0)
      const open = gap - (lost - book.lost)
      if (age >= CERTAIN_MS && open === 0 && book.atRisk > 0) {
        Object.assign(book, { lost, atRisk: 0 })
        save()
      }
      return {
        tracked,
        delivered,
        waiting,
        dropped,
        lost,
        duplicates: book.duplicates,
        gap: open,
        isLooking,
        atRisk: book.atRisk,
        isAlive: game !== undefined,
      }
    },
  }
}
