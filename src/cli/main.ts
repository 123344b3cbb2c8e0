// The `player-data` program. Exit codes: 0 done, 1 failed, 2 called wrongly; a command may have others, and its help says so.

import { version } from '../version.ts'
import { checkCommand } from './check.ts'
import { type Command, UsageError } from './command.ts'
import { sandboxCommand } from './sandbox.ts'
import { signCommand } from './sign.ts'

const commands: Record<string, Command> = {
  sandbox: sandboxCommand,
  check: checkCommand,
  sign: signCommand,
}

function help(): string {
  const list = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`)
  return `Usage: player-data <command> [flags]\n\n${list.join('\n')}\n\n  --help     this text, or that of a command\n  --version  ${version}\n`
}

async function main([name = '', ...args]: string[]): Promise<number> {
  if (name === '--version' || name === '-v') {
    console.log(version)
    return 0
  }
  if (name === '--help' || name === '-h' || name === 'help') {
    console.log(help())
    return 0
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) {
    console.error(`${name ? 'There is no such command' : 'A command is missing'}.\n\n${help()}`)
    return 2
  }
  if (args.includes('--help') || args.includes('-h')) {
    console.log(command.help)
    return 0
  }
  try {
    return await command.run(args)
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`${error.message}. See: player-data ${name} --help`)
      return 2
    }
    console.error(error instanceof Error ? error.message : error)
    return 1
  }
}

process.exitCode = await main(process.argv.slice(2))
