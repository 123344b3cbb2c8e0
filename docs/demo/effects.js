// What makes it feel good: sparks, rings, words that pop up, and a camera that shakes. A fixed number of each, made once, so that a long game
// has no more to draw than a short one. `calm` (the player asked for reduced motion) leaves out what moves for show.

const SPARKS = 240
const RINGS = 10
const WORDS = 10

const ring = (size, make) => {
  const items = Array.from({ length: size }, make)
  let next = 0
  return {
    items,
    take() {
      next = (next + 1) % size
      return items[next]
    },
  }
}

export function createEffects({ random, calm }) {
  const sparks = ring(SPARKS, () => ({ x: 0, y: 0, vx: 0, vy: 0, life: 0, span: 1, size: 1, hue: 0 }))
  const rings = ring(RINGS, () => ({ x: 0, y: 0, life: 0, size: 0, hue: 0 }))
  const words = ring(WORDS, () => ({ x: 0, y: 0, life: 0, text: '', size: 0, hue: 0 }))
  const camera = { shake: 0, x: 0, y: 0, punch: 0, flash: 0 }

  return {
    sparks: sparks.items,
    rings: rings.items,
    words: words.items,
    camera,
    burst(x, y, hue, count, speed) {
      for (let made = 0; made < (calm() ? count / 4 : count); made += 1) {
        const angle = random() * Math.PI * 2
        const fast = speed * (0.25 + random() * 0.75)
        const span = 0.35 + random() * 0.55
        Object.assign(sparks.take(), {
          x,
          y,
          vx: Math.cos(angle) * fast,
          vy: Math.sin(angle) * fast,
          life: span,
          span,
          hue,
          size: 1.5 + random() * 2.5,
        })
      }
    },
    trail(x, y, hue) {
      const span = 0.5 + random() * 0.3
      const spark = sparks.take()
      Object.assign(spark, { x, y, vx: (random() - 0.5) * 26, vy: (random() - 0.5) * 26, life: span, span, hue, size: 1 + random() * 1.5 })
    },
    ripple: (x, y, hue, size) => Object.assign(rings.take(), { x, y, hue, size, life: 1 }),
    say: (x, y, text, hue, size) => Object.assign(words.take(), { x, y, text, hue, size, life: 1 }),
    shake(amount) {
      if (!calm()) camera.shake = Math.max(camera.shake, amount)
    },
    punch(amount) {
      if (!calm()) camera.punch = Math.max(camera.punch, amount)
    },
    flash(amount) {
      camera.flash = calm() ? amount / 3 : amount
    },
    step(dt) {
      for (const spark of sparks.items) {
        if (spark.life <= 0) continue
        spark.life -= dt
        spark.x += spark.vx * dt
        spark.y += spark.vy * dt
        const drag = Math.exp(-2.6 * dt)
        spark.vx *= drag
        spark.vy *= drag
      }
      for (const each of rings.items) each.life = Math.max(0, each.life - dt * 1.7)
      for (const word of words.items) word.life = Math.max(0, word.life - dt * 0.95)
      camera.shake *= Math.exp(-7 * dt)
      if (camera.shake < 0.05) camera.shake = 0
      camera.x = (random() - 0.5) * 2 * camera.shake
      camera.y = (random() - 0.5) * 2 * camera.shake
      camera.punch *= Math.exp(-9 * dt)
      camera.flash *= Math.exp(-5 * dt)
    },
  }
}
