// Tells listeners what happened. A listener's own error is the game's: it is thrown where the host reports uncaught errors, and
// neither the other listeners nor the runtime see it.

export interface Emitter<Events> {
  on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => void
  emit<Name extends keyof Events>(name: Name, event: Events[Name]): void
  clear(): void
}

/** `later` runs a function on its own, outside the caller's stack. */
export function createEmitter<Events>(later: (run: () => void) => void): Emitter<Events> {
  const listeners = new Map<keyof Events, Set<(event: never) => void>>()
  return {
    on(name, listener) {
      const set = listeners.get(name) || new Set()
      listeners.set(name, set.add(listener))
      return () => void set.delete(listener)
    },
    emit(name, event) {
      for (const listener of [...(listeners.get(name) || [])]) {
        try {
          ;(listener as (event: unknown) => void)(event)
        } catch (error) {
          later(() => {
            throw error
          })
        }
      }
    },
    clear: () => listeners.clear(),
  }
}
