declare const __VERSION__: string

/** The version of the runtime, put in by the build. */
export const version: string = __VERSION__
