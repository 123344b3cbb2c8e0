// The picture of the sum: events drip from the game into the vessel on the disk, and run through the line into the service's.
// It draws only while something moves.

const MOST_DOTS = 120
const MOST_AT_ONCE = 26
const COLOURS = ['ink', 'muted', 'line', 'well', 'accent', 'warn', 'bad', 'comet', 'amber', 'jade', 'rose']
const TAU = Math.PI * 2

/** A round number above the value, so that a vessel is neither full nor empty for long. */
function capOf(value) {
  for (let cap = 20; ; cap *= 10) for (const step of [1, 2.5, 5]) if (value <= cap * step * 0.92) return cap * step
}

export function createFlow({ canvas, calm }) {
  const pen = canvas.getContext('2d')
  const dots = []
  let shown = { waiting: 0, delivered: 0, duplicates: 0, dropped: 0 }
  let target = { ...shown }
  let caps = { waiting: 20, delivered: 20 }
  let state = { pipe: 'open', isAlive: true }
  const colours = {}
  let [width, height, ratio] = [1, 1, 1]
  let frame = 0
  let last = 0

  function measure() {
    ratio = Math.min(2, window.devicePixelRatio || 1)
    width = canvas.clientWidth
    height = canvas.clientHeight
    canvas.width = Math.max(1, Math.round(width * ratio))
    canvas.height = Math.max(1, Math.round(height * ratio))
    for (const name of COLOURS) {
      // Only as the colour of an element is a variable worked out to what a canvas understands.
      canvas.style.color = `var(--${name})`
      colours[name] = getComputedStyle(canvas).color
    }
    wake()
  }

  /** Where things are, in pixels of the page. */
  function places() {
    const top = 30
    const tall = height - top - 34
    const wide = Math.min(150, width * 0.29)
    const buffer = { x: Math.max(54, width * 0.14), y: top, w: wide, h: tall }
    const server = { x: width - wide - 2, y: top, w: wide, h: tall }
    return { buffer, server, line: top + tall * 0.66, game: { x: 20, y: top + 12 } }
  }

  function vessel({ x, y, w, h }, fill, colour) {
    pen.beginPath()
    pen.roundRect(x, y, w, h, 14)
    pen.fillStyle = colours.well
    pen.fill()
    pen.save()
    pen.clip()
    const level = y + h - Math.max(fill > 0.001 ? 4 : 0, fill * h)
    const wave = fill > 0.01 && moving() && !calm() ? 2.2 : 0
    pen.beginPath()
    pen.moveTo(x, y + h)
    for (let at = 0; at < w + 6; at += 6) pen.lineTo(x + at, level + Math.sin(at / 15 + last / 190) * wave)
    pen.lineTo(x + w + 6, y + h)
    pen.closePath()
    pen.fillStyle = colour
    pen.fill()
    return { level, done: () => pen.restore() }
  }

  function outline({ x, y, w, h }, dashed) {
    pen.setLineDash(dashed ? [5, 5] : [])
    pen.lineWidth = 1.5
    pen.strokeStyle = dashed ? colours.warn : colours.muted
    pen.beginPath()
    pen.roundRect(x, y, w, h, 14)
    pen.stroke()
    pen.setLineDash([])
  }

  function caption(text, x, y, colour, size = 12, weight = 600) {
    pen.font = `${weight} ${size}px system-ui, sans-serif`
    pen.textAlign = 'center'
    pen.fillStyle = colour
    pen.fillText(text, x, y)
  }

  function drawLine({ buffer, server, line }) {
    const [from, to] = [buffer.x + buffer.w, server.x]
    const middle = (from + to) / 2
    const { pipe } = state
    pen.lineWidth = 9
    pen.strokeStyle = colours.line
    pen.setLineDash(pipe === 'slow' ? [3, 6] : [])
    pen.beginPath()
    pen.moveTo(from, line)
    pen.lineTo(pipe === 'cut' ? middle - 13 : to, line)
    if (pipe === 'cut') {
      pen.moveTo(middle + 13, line)
      pen.lineTo(to, line)
    }
    pen.stroke()
    pen.setLineDash([])
    if (pipe === 'cut') {
      pen.lineWidth = 3
      pen.strokeStyle = colours.bad
      pen.beginPath()
      for (const [a, b] of [
        [-6, -6],
        [-6, 6],
      ]) {
        pen.moveTo(middle + a, line + b)
        pen.lineTo(middle - a, line - b)
      }
      pen.stroke()
    }
    if (pipe === 'shut') {
      pen.fillStyle = colours.amber
      pen.beginPath()
      pen.roundRect(middle - 4, line - 15, 8, 30, 4)
      pen.fill()
    }
  }

  function drawGame({ game, buffer }) {
    const { x, y } = game
    pen.globalAlpha = state.isAlive ? 1 : 0.35
    pen.fillStyle = colours.comet
    pen.beginPath()
    pen.arc(x, y, 9, 0, TAU)
    pen.fill()
    pen.lineWidth = 3
    pen.strokeStyle = colours.comet
    pen.beginPath()
    pen.moveTo(x - 16, y - 3)
    pen.lineTo(x - 10, y - 2)
    pen.moveTo(x - 18, y + 4)
    pen.lineTo(x - 10, y + 3)
    pen.stroke()
    pen.globalAlpha = 1
    pen.lineWidth = 1.5
    pen.strokeStyle = colours.line
    pen.beginPath()
    pen.moveTo(x + 13, y)
    pen.lineTo(buffer.x, y)
    pen.stroke()
  }

  function draw() {
    const all = places()
    const { buffer, server } = all
    pen.setTransform(ratio, 0, 0, ratio, 0, 0)
    pen.clearRect(0, 0, width, height)
    drawGame(all)
    drawLine(all)
    vessel(buffer, shown.waiting / caps.waiting, colours.amber).done()
    outline(buffer, !state.isAlive)
    const { level, done } = vessel(server, shown.delivered / caps.delivered, colours.jade)
    if (shown.duplicates > 0.01) {
      const tall = Math.max(5, (shown.duplicates / caps.delivered) * server.h)
      pen.fillStyle = colours.rose
      pen.fillRect(server.x, level - tall, server.w, tall + 3) // down to the troughs of the waves
    }
    done()
    outline(server, false)
    caption(state.isAlive ? 'on the disk' : 'on the disk, alone', buffer.x + buffer.w / 2, 18, colours.muted)
    caption('at the service', server.x + server.w / 2, 18, colours.muted)
    caption(`${Math.round(target.waiting)} waiting`, buffer.x + buffer.w / 2, height - 12, colours.ink, 13, 700)
    const twice = target.duplicates > 0 ? `, ${target.duplicates} twice` : ''
    caption(
      `${Math.round(target.delivered)} arrived${twice}`,
      server.x + server.w / 2,
      height - 12,
      target.duplicates > 0 ? colours.bad : colours.ink,
      13,
      700,
    )
    for (const dot of dots) drawDot(dot, all)
  }

  function drawDot({ kind, t }, { buffer, server, line, game }) {
    if (t < 0) return
    const ease = t * t * (3 - 2 * t)
    let [x, y] = [0, 0]
    if (kind === 'tracked') {
      const half = Math.min(1, t * 2)
      x = game.x + 12 + (buffer.x + 22 - game.x - 12) * half
      y = game.y + (t > 0.5 ? (t - 0.5) * 2 * (buffer.h - 40) * (t - 0.5) * 2 : 0)
    } else if (kind === 'delivered') {
      x = buffer.x + buffer.w - 8 + (server.x + 16 - buffer.x - buffer.w) * ease
      y = line
    } else {
      x = buffer.x + buffer.w * 0.5 + Math.sin(t * 9) * 4
      y = buffer.y + buffer.h - 6 + ease * 40
    }
    pen.globalAlpha = kind === 'dropped' ? 1 - t : 1
    pen.fillStyle = { tracked: colours.comet, delivered: colours.jade, dropped: colours.rose }[kind]
    pen.beginPath()
    pen.arc(x, y, 3.4, 0, TAU)
    pen.fill()
    pen.globalAlpha = 1
  }

  function moving() {
    return dots.length > 0 || Object.keys(target).some((name) => Math.abs(target[name] - shown[name]) > 0.05)
  }

  function step(now) {
    frame = 0
    const dt = Math.min(0.05, (now - last) / 1000)
    last = now
    const ease = calm() ? 1 : 1 - Math.exp(-5 * dt)
    for (const name of Object.keys(target)) shown[name] += (target[name] - shown[name]) * ease
    for (const dot of dots) dot.t += dt * 1.5
    for (let at = dots.length - 1; at >= 0; at -= 1) if (dots[at].t >= 1) dots.splice(at, 1)
    if (!moving()) shown = { ...target }
    draw()
    if (moving()) frame = requestAnimationFrame(step)
  }

  function wake() {
    if (frame) return
    last = performance.now()
    frame = requestAnimationFrame(step)
  }

  window.addEventListener('resize', measure)
  measure()
  return {
    measure,
    /** So many events went that way: `tracked`, `delivered` or `dropped`. */
    run(kind, count) {
      if (calm()) return
      for (let made = 0; made < Math.min(count, MOST_AT_ONCE) && dots.length < MOST_DOTS; made += 1) dots.push({ kind, t: -made * 0.07 })
      wake()
    },
    show({ waiting, delivered, duplicates, dropped }, now) {
      target = { waiting, delivered, duplicates, dropped }
      caps = { waiting: Math.max(caps.waiting, capOf(waiting)), delivered: capOf(delivered + duplicates) }
      state = now
      wake()
    },
  }
}
