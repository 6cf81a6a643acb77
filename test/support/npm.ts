import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Returns npm as a program and its first arguments; undefined if the machine has no npm. */
export function findNpm(): [program: string, ...before: string[]] | undefined {
  const script = process.env.npm_execpath
  if (script?.endsWith('.js') && existsSync(script)) return [process.execPath, script]
  try {
    execFileSync('npm', ['--version'], { stdio: 'ignore' })
    return ['npm']
  } catch {
    return undefined
  }
}

export type NpmResult = { code: number; output: string }

/** Runs npm in `folder` for at most `timeoutMs`, and returns its exit code and all of its output. */
export function runNpm(args: string[], folder: string, timeoutMs = 180_000): Promise<NpmResult> {
  const [program, ...before] = findNpm()!
  return new Promise((resolve) => {
    execFile(
      program,
      [...before, ...args],
      {
        cwd: folder,
        env: {
          ...process.env,
          PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
          NODE_ENV: undefined,
        },
        timeout: timeoutMs,
        maxBuffer: 64 * 1024 * 1024,
      },
      (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? 1) || 1 : 0, output: `${stdout}${stderr}` }),
    )
  })
}

const ROOT = join(import.meta.dirname, '../..')

/** Returns the `npm` arguments of each `RUN npm …` line in a stage of a Dockerfile. */
export const npmLines = (lines: string[]): string[][] =>
  lines.flatMap((line) => (line.startsWith('RUN npm ') ? [line.slice('RUN npm '.length).split(' ')] : []))

export const PACKAGE_FILES = ['package.json', 'package-lock.json', '.npmrc'].map((name) => join(ROOT, name))
