import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommandLine } from '../../src/cli/run-command-line.ts'
import { withCellSetting } from './cell.ts'

export type Finished = { code: number; stdout: string; stderr: string }

const PROGRAM = join(import.meta.dirname, '../../bin/parley')

/** Runs a `parley` command to its end in this process. Its environment is only `env`. */
export async function runParley(words: string[], env: Record<string, string>): Promise<Finished> {
  const finished: Finished = { code: 0, stdout: '', stderr: '' }
  finished.code = await runCommandLine(words, {
    env: withCellSetting(env),
    folder: tmpdir(),
    print: (line) => {
      finished.stdout += `${line}\n`
    },
    say: (line) => {
      finished.stderr += `${line}\n`
    },
    stayUntilStopped: () => {
      throw new Error('a command that goes on needs a process of its own')
    },
  })
  return finished
}

/** Runs a command as a user does: through the launcher, in its own process, from another folder. */
export function spawnParley(words: string[], env: Record<string, string>): Promise<Finished> {
  return new Promise((resolve) => {
    const options = { cwd: tmpdir(), env: { ...process.env, ...withCellSetting(env) } }
    execFile(PROGRAM, words, options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
}
