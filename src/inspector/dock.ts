// Where the overlay sits: in a corner, and in another one once it is dragged there.

export type Corner = 'bottom-right' | 'bottom-left' | 'top-left' | 'top-right'

/** In the order in which the button goes through them. */
export const CORNERS: readonly [Corner, ...Corner[]] = ['bottom-right', 'bottom-left', 'top-left', 'top-right']

/** A press that moves less is a click. */
const CLICK_PX = 6

/** The corner of a field of that size which is nearest to the point. */
export function nearestCorner(x: number, y: number, width: number, height: number): Corner {
  return `${y < height / 2 ? 'top' : 'bottom'}-${x < width / 2 ? 'left' : 'right'}`
}

export function nextCorner(corner: Corner): Corner {
  return CORNERS[(CORNERS.indexOf(corner) + 1) % CORNERS.length] as Corner
}

/** Lets `box` be dragged by `handle`; on release `onDrop` gets the nearest corner. */
export function makeDraggable(box: HTMLElement, handle: HTMLElement, onDrop: (corner: Corner) => void): void {
  let from: { x: number; y: number } | undefined
  let isDragged = false

  handle.addEventListener('pointerdown', ({ target, pointerId, button, clientX, clientY }) => {
    isDragged = false
    if (button !== 0) return
    from = { x: clientX, y: clientY }
    // On what was pressed, not on the handle: the click goes where the capture is.
    ;(target as Element).setPointerCapture(pointerId)
  })
  handle.addEventListener('pointermove', ({ clientX, clientY }) => {
    if (!from) return
    const [x, y] = [clientX - from.x, clientY - from.y]
    if (!isDragged && Math.hypot(x, y) < CLICK_PX) return
    isDragged = true
    box.style.transform = `translate(${x}px, ${y}px)`
  })
  const end = () => {
    from = undefined
    if (!isDragged) return
    const { left, top, width, height } = box.getBoundingClientRect()
    box.style.transform = ''
    onDrop(nearestCorner(left + width / 2, top + height / 2, window.innerWidth, window.innerHeight))
  }
  handle.addEventListener('pointerup', end)
  handle.addEventListener('pointercancel', end)
  // The click that ends a drag is none.
  handle.addEventListener(
    'click',
    (event) => {
      if (isDragged && event.detail > 0) event.stopPropagation()
      isDragged = false
    },
    true,
  )
}
