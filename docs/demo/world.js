// The world of Comet Post: a comet circles a star, leaps along its tangent, and is caught by the next one. Only rules live here:
// time and chance come in, news go out, and nothing is drawn. Lengths are in units of which a phone's width has about 360; y grows downwards.

/** The stars lie within this far of the middle. */
const HALF_WIDTH = 100
const HOPS_PER_LEVEL = 6
const HEARTS = 3
/** How much further than its ring a star reaches for a comet. */
const REACH = 17
/** A comet that meets the ring so nearly at a tangent glides into it. */
const SMOOTH = 9
const DUST_REACH = 13
const MAX_COMBO = 8

const TAU = Math.PI * 2
const clamp = (value, least, most) => Math.min(most, Math.max(least, value))

/** How hard a level is. */
function rulesOf(level) {
  return {
    ring: Math.max(31, 50 - level * 2),
    turn: Math.min(4.4, 1.9 + level * 0.2),
    speed: 440 + Math.min(level, 12) * 14,
    fuse: Math.max(3.4, 7.3 - level * 0.35),
    sway: level < 3 ? 0 : Math.min(46, (level - 2) * 9),
    sight: Math.max(70, 250 - level * 18),
  }
}

/**
 * `tell(what, facts)` hears of everything that happens: start, launch, flare, hop, dust, letter, miss, level, over.
 * `random` gives numbers from 0 to below 1.
 */
export function createWorld({ random, tell }) {
  const comet = { x: 0, y: 0, vx: 0, vy: 0, angle: 0, way: 1, radius: 0, flying: false, turned: 0, blink: 0 }
  const world = {
    comet,
    stars: [],
    letters: [],
    /** The index in `stars` of the one that holds the comet, or held it last. */
    at: 0,
    mode: 'title',
    score: 0,
    best: 0,
    level: 1,
    hearts: HEARTS,
    combo: 1,
    hops: 0,
    time: 0,
    /** How long the comet has been with its star, as a part of what the star bears. */
    burnt: 0,
    rules: rulesOf(1),
  }

  function addStar() {
    const { stars } = world
    const before = stars[stars.length - 1]
    const level = 1 + Math.floor(stars.length / HOPS_PER_LEVEL)
    const { ring, sway } = rulesOf(level)
    const side = before && before.home > 0 ? -1 : 1
    const turn = random() < 0.78 ? side : -side
    const home = before ? clamp(before.home + turn * (56 + random() * 74), -HALF_WIDTH, HALF_WIDTH) : 0
    const y = before ? before.y - 158 - random() * 34 - Math.min(level * 3, 30) : 0
    const dust = Array.from({ length: before ? Math.floor(random() * 3.2) : 3 }, () => ({ angle: random() * TAU, taken: false }))
    stars.push({ home, x: home, y, ring, sway, phase: random() * TAU, level, dust, glow: 0 })
    if (before && random() < 0.55) {
      const part = 0.42 + random() * 0.16
      world.letters.push({
        x: before.home + (home - before.home) * part,
        y: before.y + (y - before.y) * part,
        star: stars.length - 1,
        taken: false,
      })
    }
  }

  function begin(mode) {
    Object.assign(world, { mode, stars: [], letters: [], at: 0, score: 0, level: 1, hearts: HEARTS, combo: 1, hops: 0, burnt: 0, time: 0 })
    world.rules = rulesOf(1)
    for (let made = 0; made < 7; made += 1) addStar()
    hold(-Math.PI / 2 + 2.4, 1)
    comet.blink = 0
  }

  /** The comet is on the ring of its star. */
  function hold(angle, way, radius = world.stars[world.at].ring) {
    Object.assign(comet, { angle, way, radius, flying: false, turned: 0 })
    world.burnt = 0
    place()
  }

  function place() {
    const star = world.stars[world.at]
    comet.x = star.x + Math.cos(comet.angle) * comet.radius
    comet.y = star.y + Math.sin(comet.angle) * comet.radius
  }

  function launch(why) {
    const { speed } = world.rules
    const aimed = isAimed()
    comet.vx = -Math.sin(comet.angle) * comet.way * speed
    comet.vy = Math.cos(comet.angle) * comet.way * speed
    comet.flying = true
    tell(why, { x: comet.x, y: comet.y, aimed })
  }

  function score(points) {
    world.score += points
    world.best = Math.max(world.best, world.score)
  }

  function circle(dt) {
    const star = world.stars[world.at]
    const { turn, fuse } = world.rules
    comet.radius += (star.ring - comet.radius) * Math.min(1, dt * 9)
    comet.angle += turn * comet.way * dt
    comet.turned += turn * dt
    place()
    if (world.mode !== 'play') return
    for (const dust of star.dust) {
      if (dust.taken) continue
      const x = star.x + Math.cos(dust.angle) * star.ring
      const y = star.y + Math.sin(dust.angle) * star.ring
      if (Math.hypot(comet.x - x, comet.y - y) > DUST_REACH) continue
      dust.taken = true
      score(1)
      tell('dust', { x, y })
    }
    world.burnt += dt / fuse
    if (world.burnt >= 1) launch('flare')
  }

  function fly(dt) {
    comet.x += comet.vx * dt
    comet.y += comet.vy * dt
    for (const letter of world.letters) {
      if (letter.taken || Math.hypot(comet.x - letter.x, comet.y - letter.y) > 24) continue
      letter.taken = true
      score(5)
      tell('letter', { x: letter.x, y: letter.y })
    }
    for (let next = world.at + 1; next <= world.at + 2; next += 1) {
      const star = world.stars[next]
      if (Math.hypot(comet.x - star.x, comet.y - star.y) <= star.ring + REACH) return caught(next)
    }
    const from = world.stars[world.at]
    if (Math.abs(comet.x) > 240 || comet.y > from.y + 230 || comet.y < from.y - 560) miss()
  }

  function caught(next) {
    const star = world.stars[next]
    const skipped = next - world.at - 1
    const [dx, dy] = [comet.x - star.x, comet.y - star.y]
    const cross = (dx * comet.vy - dy * comet.vx) / Math.hypot(comet.vx, comet.vy)
    const smooth = Math.abs(Math.abs(cross) - star.ring) < SMOOTH
    world.combo = comet.turned < TAU ? Math.min(MAX_COMBO, world.combo + 1) : 1
    const points = (10 + (smooth ? 5 : 0) + skipped * 15) * world.combo
    score(points)
    world.at = next
    world.hops += 1
    star.glow = 1
    hold(Math.atan2(dy, dx), cross < 0 ? -1 : 1, Math.hypot(dx, dy))
    while (world.stars.length < world.at + 7) addStar()
    tell('hop', { x: star.x, y: star.y, points, smooth, skipped, combo: world.combo })
    if (world.hops % HOPS_PER_LEVEL === 0) levelUp(star)
  }

  function levelUp(star) {
    world.level += 1
    world.rules = rulesOf(world.level)
    world.hearts = Math.min(HEARTS, world.hearts + 1)
    tell('level', { x: star.x, y: star.y, level: world.level })
  }

  function miss() {
    const where = { x: clamp(comet.x, -170, 170), y: comet.y }
    world.hearts -= 1
    world.combo = 1
    tell('miss', { ...where, hearts: world.hearts })
    hold(-Math.PI / 2 + 2.4, comet.way)
    comet.blink = 1.1
    if (world.hearts > 0) return
    world.mode = 'over'
    tell('over', { score: world.score, level: world.level, hops: world.hops, seconds: Math.round(world.time) })
  }

  /** Whether a leap now would be caught by the next star. Where that sways, it is judged as it stands. */
  function isAimed() {
    if (comet.flying) return false
    const star = world.stars[world.at + 1]
    const [ux, uy] = [-Math.sin(comet.angle) * comet.way, Math.cos(comet.angle) * comet.way]
    const [dx, dy] = [star.x - comet.x, star.y - comet.y]
    return dx * ux + dy * uy > 0 && Math.abs(dx * uy - dy * ux) < star.ring + REACH - 6
  }

  begin('title')
  return Object.assign(world, {
    isAimed,
    start() {
      begin('play')
      tell('start', {})
    },
    /** The one thing a player can do. */
    leap() {
      if (world.mode === 'play' && !comet.flying) launch('launch')
    },
    step(dt) {
      world.time += dt
      for (const star of world.stars) {
        star.x = star.home + Math.sin(world.time * 0.9 + star.phase) * star.sway
        star.glow = Math.max(0, star.glow - dt * 1.6)
      }
      comet.blink = Math.max(0, comet.blink - dt)
      if (comet.flying) fly(dt)
      else circle(dt)
    },
  })
}
