/** A shell that runs the commands of the documentation as they are written, against a server of the test. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { withCellSetting } from './cell.ts'
import { until } from './until.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')
const LAUNCHER = join(ROOT, 'bin/parley')

export type DocumentedShell = {
  /** Runs a command; throws its output if it fails, or if a request is answered with 400 or more. */
  run(command: string): Promise<void>
  /** Starts a command that does not end, and resolves once `url` answers. */
  start(command: string, url: string): Promise<void>
  /** Returns the last match of a pattern in the output so far. With keys, returns those values of the JSON in it. */
  printed(pattern: RegExp, keys?: string[]): string[]
  /** Runs a command until its output matches. */
  runUntil(command: string, expected: RegExp): Promise<void>
  /** Writes a file into the folder of the shell. */
  write(name: string, content: Buffer): Promise<void>
  close(): Promise<void>
}

/** The last match of a pattern in a text: its first group that matched. */
export const lastMatch = (text: string, pattern: RegExp): string | undefined =>
  [...text.matchAll(new RegExp(pattern, `${pattern.flags.replace('g', '')}g`))]
    .at(-1)
    ?.slice(1)
    .find((group) => group !== undefined)

/**
 * Opens the shell in a folder of its own, in which `parley` and `npm run parley --` are the command line, and `curl` fails if a
 * request fails. `fillIn` puts the values of this run into a command, from all output so far.
 */
export async function openDocumentedShell(options: {
  env(): Record<string, string>
  fillIn(command: string, output: string): string
}): Promise<DocumentedShell> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-documented-'))
  const path = `${folder}:${process.env.PATH}`
  const program = async (name: string, script: string) => {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`)
    await chmod(join(folder, name), 0o755)
  }
  await program('parley', `exec '${LAUNCHER}' "$@"`)
  await program('npm', `shift 3; exec '${LAUNCHER}' "$@"`)
  // Fails for every status from 400 on.
  const curl = (await run('sh', ['-c', 'command -v curl'])).stdout.trim()
  await program('curl', `'${curl}' --fail-with-body "$@"; code=$?; echo; exit $code`)
  const surroundings = () => ({
    env: { ...withCellSetting(options.env()), PATH: path, HOME: folder },
    cwd: folder,
  })
  const children: ChildProcess[] = []
  let output = ''

  const runOnce = async (command: string): Promise<string> => {
    const script = options.fillIn(command, output)
    try {
      return (await run('bash', ['-ec', script], surroundings())).stdout
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string }
      throw new Error(`${script}\n${stdout}\n${stderr}`)
    }
  }
  return {
    run: async (command) => {
      output += await runOnce(command)
    },
    start: async (command, url) => {
      const child = spawn('bash', ['-ec', `exec ${options.fillIn(command, output)}`], surroundings())
      children.push(child)
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString()
      })
      await until(
        () =>
          fetch(url).then(
            () => true,
            () => false,
          ),
        `${url} answers`,
      )
    },
    printed: (pattern, keys) => {
      const found = lastMatch(output, pattern)
      if (found === undefined) throw new Error(`No ${pattern} in:\n${output}`)
      if (!keys) return [found]
      const values = JSON.parse(found)
      return keys.map((key) => values[key])
    },
    runUntil: async (command, expected) => {
      await until(async () => expected.test(await runOnce(command)), `${command} prints ${expected}`)
    },
    write: (name, content) => writeFile(join(folder, name), content),
    close: async () => {
      await Promise.all(
        children.map(async (child) => {
          if (child.exitCode !== null) return
          const ended = new Promise((resolve) => child.once('exit', resolve))
          child.kill('SIGTERM')
          await ended
        }),
      )
      await rm(folder, { recursive: true, force: true })
    },
  }
}
