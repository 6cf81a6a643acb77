import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { withCellSetting } from './cell.ts'
import { until } from './until.ts'

export type StartedCommand = {
  /** The output so far. */
  output(): string
  /** Waits until the service at `url` is ready. Throws with its output if it ends before. */
  waitUntilReady(url: string): Promise<void>
  /** Sends the signal, and returns the exit code. Does nothing if the command has ended. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts the service with a command of a unit or an image. */
export function startCommand(
  [program, ...args]: string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number },
): StartedCommand {
  const child = spawn(program!, args, {
    ...options,
    env: withCellSetting(options.env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  return {
    output: () => output,
    waitUntilReady: async (url) => {
      const isReady = async () => hasEnded() || (await fetch(`${url}/readyz`)).status === 200
      await until(isReady, 'the service is ready')
      if (hasEnded()) throw new Error(`the service ended:\n${output}`)
    },
    end: async (signal) => {
      if (hasEnded()) return child.exitCode
      child.kill(signal)
      const [code] = await once(child, 'exit')
      return code as number | null
    },
  }
}
