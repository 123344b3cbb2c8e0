export function installByApt(packages: string[], env?: NodeJS.ProcessEnv): Promise<void>
