// A few notes, made on the spot; silent until it is switched on.

/** Each is a list of notes: frequency, when, how long (seconds), how loud, what wave. */
const SOUNDS = {
  launch: [[330, 0, 0.12, 0.05, 'triangle']],
  dust: [[1320, 0, 0.07, 0.04, 'sine']],
  letter: [
    [880, 0, 0.09, 0.06, 'sine'],
    [1320, 0.06, 0.12, 0.05, 'sine'],
  ],
  miss: [
    [180, 0, 0.25, 0.09, 'sawtooth'],
    [110, 0.08, 0.35, 0.08, 'sawtooth'],
  ],
  level: [
    [523, 0, 0.14, 0.06, 'triangle'],
    [659, 0.1, 0.14, 0.06, 'triangle'],
    [784, 0.2, 0.28, 0.06, 'triangle'],
  ],
  over: [
    [392, 0, 0.2, 0.06, 'triangle'],
    [294, 0.16, 0.4, 0.06, 'triangle'],
  ],
}

export function createSound() {
  let context
  let isOn = false

  function note([frequency, after, length, loud, wave], higher) {
    const at = context.currentTime + after
    const tone = context.createOscillator()
    const volume = context.createGain()
    tone.type = wave
    tone.frequency.setValueAtTime(frequency * higher, at)
    volume.gain.setValueAtTime(loud, at)
    volume.gain.exponentialRampToValueAtTime(0.0001, at + length)
    tone.connect(volume).connect(context.destination)
    tone.start(at)
    tone.stop(at + length)
  }

  return {
    get isOn() {
      return isOn
    },
    /** Call it from a click: browsers let no page make a sound by itself. */
    toggle() {
      isOn = !isOn
      context = context ?? new AudioContext()
      if (isOn) context.resume()
      else context.suspend()
    },
    play(name, combo = 1) {
      if (!isOn) return
      if (name === 'hop') note([392, 0, 0.2, 0.07, 'triangle'], 2 ** ((combo - 1) / 6))
      for (const each of SOUNDS[name] ?? []) note(each, 1)
    },
  }
}
