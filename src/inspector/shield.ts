// Keeps what is done in the overlay from the game, which often listens on the whole window: a click on a button fires no gun. And keeps
// the game's focus where it is: a press in the overlay does not take the keyboard away. An end whose begin was the game's passes, or a
// key would stay down there for ever.

const PRESSES = ['pointerdown', 'mousedown', 'touchstart', 'touchmove', 'touchend', 'click', 'dblclick', 'contextmenu', 'wheel', 'keypress']

/** Text in elements of the class `free` can be selected; that is worth the focus. */
export function shield(box: HTMLElement): void {
  const keys = new Set<string>()
  let isPressed = false
  for (const type of PRESSES) box.addEventListener(type, (event) => event.stopPropagation(), { passive: true })
  box.addEventListener('pointerdown', () => {
    isPressed = true
  })
  for (const type of ['pointerup', 'mouseup'])
    box.addEventListener(type, (event) => {
      if (isPressed) event.stopPropagation()
      if (type === 'mouseup') isPressed = false
    })
  box.addEventListener('keydown', (event) => {
    keys.add(event.code)
    event.stopPropagation()
  })
  box.addEventListener('keyup', (event) => {
    if (keys.delete(event.code)) event.stopPropagation()
  })
  box.addEventListener('mousedown', (event) => {
    if (!(event.target as Element).closest('.free')) event.preventDefault()
  })
}
