// Draws the world. Glows are painted once into small canvases and then copied: blurs and gradients in every frame are what makes cheap
// phones stutter. Lengths are the world's units; one scale fits them to the canvas.

const HUES = [256, 205, 318, 168, 24, 228, 345, 185]
const TRAIL = 30
const TILE = 384
const MAX_RATIO = 2
const TAU = Math.PI * 2

export const hueOf = (level) => HUES[(level - 1) % HUES.length]

function paint(width, height, draw) {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  draw(canvas.getContext('2d'))
  return canvas
}

function paintGlow(hue) {
  return paint(128, 128, (pen) => {
    const light = pen.createRadialGradient(64, 64, 0, 64, 64, 64)
    light.addColorStop(0, `hsl(${hue} 100% 82% / .95)`)
    light.addColorStop(0.22, `hsl(${hue} 95% 66% / .55)`)
    light.addColorStop(0.55, `hsl(${hue} 90% 55% / .16)`)
    light.addColorStop(1, `hsl(${hue} 90% 50% / 0)`)
    pen.fillStyle = light
    pen.fillRect(0, 0, 128, 128)
  })
}

function paintCloud(hue) {
  return paint(256, 256, (pen) => {
    const light = pen.createRadialGradient(128, 128, 0, 128, 128, 128)
    light.addColorStop(0, `hsl(${hue} 80% 55% / .5)`)
    light.addColorStop(0.5, `hsl(${hue} 80% 45% / .2)`)
    light.addColorStop(1, `hsl(${hue} 80% 40% / 0)`)
    pen.fillStyle = light
    pen.fillRect(0, 0, 256, 256)
  })
}

function paintStar(hue) {
  return paint(96, 96, (pen) => {
    const body = pen.createRadialGradient(38, 34, 2, 48, 48, 42)
    body.addColorStop(0, `hsl(${hue} 100% 94%)`)
    body.addColorStop(0.45, `hsl(${hue} 92% 72%)`)
    body.addColorStop(1, `hsl(${hue + 24} 82% 44%)`)
    pen.fillStyle = body
    pen.beginPath()
    pen.arc(48, 48, 42, 0, TAU)
    pen.fill()
  })
}

function paintSky(random, count, size) {
  return paint(TILE, TILE, (pen) => {
    for (let made = 0; made < count; made += 1) {
      pen.fillStyle = `hsl(${220 + random() * 60} 80% 92% / ${0.25 + random() * 0.6})`
      pen.beginPath()
      pen.arc(random() * TILE, random() * TILE, size * (0.5 + random()), 0, TAU)
      pen.fill()
    }
  })
}

const memo = (make) => {
  const made = new Map()
  return (key) => {
    if (!made.has(key)) made.set(key, make(key))
    return made.get(key)
  }
}

export function createPainter({ canvas, world, effects, random, calm }) {
  const pen = canvas.getContext('2d', { alpha: false })
  const glow = memo(paintGlow)
  const cloud = memo(paintCloud)
  const body = memo(paintStar)
  const skies = [paintSky(random, 60, 0.8), paintSky(random, 22, 1.5)]
  const trail = Array.from({ length: TRAIL }, () => ({ x: 0, y: 0 }))
  let newest = 0
  let [width, height, scale, ratio] = [1, 1, 1, 1]
  let eye = 0
  let hue = hueOf(1)
  let settled = false

  function measure() {
    const { clientWidth, clientHeight } = canvas
    ratio = Math.min(MAX_RATIO, window.devicePixelRatio || 1)
    width = Math.max(1, Math.round(clientWidth * ratio))
    height = Math.max(1, Math.round(clientHeight * ratio))
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
    scale = Math.min(width / 350, height / 540)
    settled = false
  }

  function stamp(sprite, x, y, size) {
    pen.drawImage(sprite, x - size / 2, y - size / 2, size, size)
  }

  function drawSky() {
    const back = pen.createLinearGradient(0, 0, 0, height)
    back.addColorStop(0, `hsl(${hue + 8} 58% 8%)`)
    back.addColorStop(0.55, `hsl(${hue} 52% 14%)`)
    back.addColorStop(1, `hsl(${hue + 34} 50% 22%)`)
    pen.fillStyle = back
    pen.fillRect(0, 0, width, height)
    const far = calm() ? 0 : eye * scale
    stamp(cloud(hueOf(world.level)), width * 0.16, height * 0.22 - ((far * 0.05) % height), height * 0.9)
    stamp(cloud(hueOf(world.level + 1)), width * 0.92, height * 0.78, height * 0.8)
    skies.forEach((sky, at) => {
      const tile = TILE * ratio
      const shift = ((((-far * (0.12 + at * 0.16)) % tile) + tile) % tile) - tile
      for (let y = shift; y < height; y += tile) for (let x = 0; x < width; x += tile) pen.drawImage(sky, x, y, tile, tile)
    })
  }

  function drawStar(star, at) {
    const own = hueOf(star.level)
    const here = at === world.at
    const next = at === world.at + 1
    const size = star.ring * 0.42
    const beat = calm() ? 0 : Math.sin(world.time * 2.2 + star.phase) * 0.6
    pen.globalAlpha = at < world.at ? 0.25 : 1
    pen.globalCompositeOperation = 'lighter'
    stamp(glow(own), star.x, star.y, star.ring * (2.5 + star.glow * 1.6))
    pen.globalCompositeOperation = 'source-over'
    stamp(body(own), star.x, star.y, (size + beat) * 2 * (1 + star.glow * 0.3) * (96 / 84))

    pen.lineWidth = 1.5
    pen.strokeStyle = `hsl(${own} 90% 80% / ${here || next ? 0.55 : 0.25})`
    pen.setLineDash(next ? [] : [3, 7])
    pen.beginPath()
    pen.arc(star.x, star.y, star.ring, 0, TAU)
    pen.stroke()
    pen.setLineDash([])
    if (here && world.mode === 'play' && !world.comet.flying) drawFuse(star)
    for (const { angle, taken } of star.dust) {
      if (taken) continue
      stamp(glow(48), star.x + Math.cos(angle) * star.ring, star.y + Math.sin(angle) * star.ring, 17)
    }
    pen.globalAlpha = 1
  }

  /** How much longer the star bears the comet. */
  function drawFuse(star) {
    const left = 1 - world.burnt
    pen.lineWidth = 3.5
    pen.lineCap = 'round'
    pen.strokeStyle = left > 0.35 ? 'hsl(48 100% 72% / .85)' : `hsl(8 100% 66% / ${0.6 + Math.sin(world.time * 18) * 0.35})`
    pen.beginPath()
    pen.arc(star.x, star.y, star.ring * 0.68, -Math.PI / 2, -Math.PI / 2 + TAU * left)
    pen.stroke()
    pen.lineCap = 'butt'
  }

  function drawLetters() {
    for (const { x, y, taken, star } of world.letters) {
      if (taken || star <= world.at) continue
      const lift = calm() ? 0 : Math.sin(world.time * 3 + x) * 3
      pen.globalCompositeOperation = 'lighter'
      stamp(glow(40), x, y + lift, 46)
      pen.globalCompositeOperation = 'source-over'
      pen.fillStyle = '#fff6e0'
      pen.fillRect(x - 9, y - 6 + lift, 18, 12)
      pen.strokeStyle = '#c8743c'
      pen.lineWidth = 1.4
      pen.beginPath()
      pen.moveTo(x - 8.5, y - 5.5 + lift)
      pen.lineTo(x, y + 1.5 + lift)
      pen.lineTo(x + 8.5, y - 5.5 + lift)
      pen.stroke()
    }
  }

  function drawAim() {
    const { comet, rules, mode } = world
    if (comet.flying || mode !== 'play') return
    const aimed = world.isAimed()
    const [ux, uy] = [-Math.sin(comet.angle) * comet.way, Math.cos(comet.angle) * comet.way]
    pen.fillStyle = aimed ? 'hsl(48 100% 76%)' : 'hsl(0 0% 100% / .45)'
    for (let far = 22; far < rules.sight; far += 14) {
      pen.globalAlpha = (1 - far / rules.sight) * (aimed ? 1 : 0.7)
      pen.beginPath()
      pen.arc(comet.x + ux * far, comet.y + uy * far, aimed ? 2.6 : 1.7, 0, TAU)
      pen.fill()
    }
    pen.globalAlpha = 1
  }

  function drawComet() {
    const { comet } = world
    pen.globalCompositeOperation = 'lighter'
    for (let back = 1; back < TRAIL; back += 1) {
      const a = trail[(newest - back + 1 + TRAIL) % TRAIL]
      const b = trail[(newest - back + TRAIL) % TRAIL]
      const left = 1 - back / TRAIL
      pen.strokeStyle = `hsl(${44 - back * 1.2} 100% ${74 - back}% / ${left * 0.5})`
      pen.lineWidth = 13 * left * left + 0.5
      pen.beginPath()
      pen.moveTo(a.x, a.y)
      pen.lineTo(b.x, b.y)
      pen.stroke()
    }
    const shown = comet.blink <= 0 || Math.sin(comet.blink * 30) > -0.2
    if (shown) stamp(glow(46), comet.x, comet.y, 62)
    pen.globalCompositeOperation = 'source-over'
    if (!shown) return
    pen.fillStyle = '#fffaf0'
    pen.beginPath()
    pen.arc(comet.x, comet.y, 8.5, 0, TAU)
    pen.fill()
    const way = comet.flying ? Math.atan2(comet.vy, comet.vx) : comet.angle + (Math.PI / 2) * comet.way
    pen.fillStyle = '#2a1c4a'
    for (const side of [-0.62, 0.62]) {
      pen.beginPath()
      pen.arc(comet.x + Math.cos(way + side) * 4.6, comet.y + Math.sin(way + side) * 4.6, 1.9, 0, TAU)
      pen.fill()
    }
  }

  function drawEffects() {
    pen.globalCompositeOperation = 'lighter'
    for (const { x, y, life, size, hue: own } of effects.rings) {
      if (life <= 0) continue
      const out = 1 - life * life
      pen.strokeStyle = `hsl(${own} 100% 78% / ${life * 0.8})`
      pen.lineWidth = 5 * life
      pen.beginPath()
      pen.arc(x, y, size * out, 0, TAU)
      pen.stroke()
    }
    for (const { x, y, life, span, size, hue: own } of effects.sparks) {
      if (life <= 0) continue
      pen.globalAlpha = Math.min(1, (life / span) * 1.3)
      stamp(glow(own), x, y, size * 6 * (0.4 + (life / span) * 0.6))
    }
    pen.globalAlpha = 1
    pen.globalCompositeOperation = 'source-over'
    pen.textAlign = 'center'
    for (const { x, y, life, text, size, hue: own } of effects.words) {
      if (life <= 0) continue
      const grown = Math.min(1, (1 - life) * 7)
      pen.globalAlpha = Math.min(1, life * 2)
      pen.font = `800 ${Math.round(size * (0.6 + grown * 0.4))}px system-ui, sans-serif`
      pen.fillStyle = `hsl(${own} 100% 84%)`
      pen.fillText(text, x, y - (calm() ? 12 : (1 - life) * 46))
    }
    pen.globalAlpha = 1
  }

  measure()
  return {
    measure,
    draw(dt) {
      const { comet, stars } = world
      const star = stars[world.at]
      const tall = height / scale
      const wanted = (comet.flying ? star.y * 0.55 + comet.y * 0.45 : star.y) - tall * (world.mode === 'play' ? 0.2 : -0.2)
      eye = settled ? eye + (wanted - eye) * (1 - Math.exp(-4.2 * dt)) : wanted
      const way = ((hueOf(world.level) - hue + 540) % 360) - 180
      hue += way * (1 - Math.exp(-2 * dt))
      newest = (newest + 1) % TRAIL
      for (const point of settled ? [trail[newest]] : trail) Object.assign(point, { x: comet.x, y: comet.y })
      settled = true

      pen.setTransform(1, 0, 0, 1, 0, 0)
      drawSky()
      const { camera } = effects
      const zoom = scale * (1 + camera.punch)
      pen.setTransform(zoom, 0, 0, zoom, width / 2 + camera.x * scale, height / 2 - eye * zoom + camera.y * scale)
      drawLetters()
      for (let at = Math.max(0, world.at - 2); at < stars.length; at += 1) drawStar(stars[at], at)
      drawAim()
      drawComet()
      drawEffects()
      if (camera.flash > 0.02) {
        pen.setTransform(1, 0, 0, 1, 0, 0)
        pen.fillStyle = `hsl(8 100% 60% / ${camera.flash})`
        pen.fillRect(0, 0, width, height)
      }
    },
    /** After a jump that is no movement: the camera and the trail start anew. */
    cut() {
      settled = false
    },
  }
}
