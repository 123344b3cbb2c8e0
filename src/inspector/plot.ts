// The picture of the buffer: above the line what waits, below it what went in each second, to the service or for good.

import { element } from './element.ts'
import { countText } from './figure.ts'
import { SPAN_MS } from './record.ts'
import type { Sample, Series } from './series.ts'

export const COLOURS = { waiting: '#6cb6ff', delivered: '#4ac489', dropped: '#ff7b72', line: '#3a4454', grid: '#252d39', text: '#9aa7b8' }

export interface Plot {
  readonly element: HTMLCanvasElement
  draw(series: Series, now: number): void
}

const SLICE_MS = 1000
/** A faint line as often as this. */
const GRID_MS = 15_000
/** The share of the height that is above the line. */
const ABOVE = 0.66

export function createPlot(): Plot {
  const canvas = element('canvas', { class: 'plot', role: 'img' })

  function draw(series: Series, now: number): void {
    const { clientWidth: width, clientHeight: height } = canvas
    const context = canvas.getContext('2d')
    if (!context || width === 0) return
    const ratio = Math.min(3, window.devicePixelRatio || 1)
    // Setting the size clears the canvas.
    canvas.width = Math.round(width * ratio)
    canvas.height = Math.round(height * ratio)
    context.scale(ratio, ratio)
    const base = Math.round(height * ABOVE)
    const { samples } = series
    const most = Math.max(0, ...samples.map(({ buffered }) => buffered))
    const flows = series.flows(SLICE_MS)
    const mostFlow = Math.max(1, ...flows.map(({ delivered, dropped }) => delivered + dropped))

    const xOf = (at: number) => width - ((now - at) / SPAN_MS) * width
    const yOf = (buffered: number) => base - (buffered / Math.max(1, most)) * (base - 14)
    context.fillStyle = COLOURS.grid
    for (let ago = GRID_MS; ago < SPAN_MS; ago += GRID_MS) context.fillRect(Math.round(xOf(now - ago)), 0, 1, height)
    drawWaiting(context, samples, { xOf, yOf, base, width })
    context.fillStyle = COLOURS.line
    context.fillRect(0, base, width, 1)
    const slot = (SLICE_MS / SPAN_MS) * width
    for (const { at, delivered, dropped } of flows) {
      let top = base + 2
      for (const [amount, colour] of [
        [delivered, COLOURS.delivered],
        [dropped, COLOURS.dropped],
      ] as const) {
        if (amount <= 0) continue
        // What happened is seen, however little it was.
        const length = Math.max(2, (amount / mostFlow) * (height - base - 4))
        context.fillStyle = colour
        context.fillRect(xOf(at) + 0.5, top, Math.max(1, slot - 1), length)
        top += length
      }
    }

    context.font = '10px ui-sans-serif, system-ui, sans-serif'
    context.fillStyle = COLOURS.text
    context.textBaseline = 'top'
    context.fillText(`most ${countText(most)}`, 6, 3)
    context.textAlign = 'right'
    context.fillText('last minute', width - 6, 3)
    const last = samples[samples.length - 1]
    canvas.setAttribute('aria-label', `The last minute: at most ${countText(most)} waiting, ${countText(last?.buffered ?? 0)} now`)
  }

  return { element: canvas, draw }
}

interface Scales {
  xOf(at: number): number
  yOf(buffered: number): number
  base: number
  width: number
}

function drawWaiting(context: CanvasRenderingContext2D, samples: readonly Sample[], { xOf, yOf, base, width }: Scales): void {
  const [first] = samples
  const last = samples[samples.length - 1]
  if (!first || !last) return
  const line = new Path2D()
  line.moveTo(xOf(first.at), yOf(first.buffered))
  for (const { at, buffered } of samples) line.lineTo(xOf(at), yOf(buffered))
  line.lineTo(width, yOf(last.buffered))
  const area = new Path2D(line)
  area.lineTo(width, base)
  area.lineTo(xOf(first.at), base)
  const shade = context.createLinearGradient(0, 0, 0, base)
  shade.addColorStop(0, `${COLOURS.waiting}99`)
  shade.addColorStop(1, `${COLOURS.waiting}1a`)
  context.fillStyle = shade
  context.fill(area)
  context.strokeStyle = COLOURS.waiting
  context.lineWidth = 1.5
  context.stroke(line)
}
