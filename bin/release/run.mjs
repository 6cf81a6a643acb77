import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const MAX_OUTPUT = 64 * 1024 * 1024

/**
 * Runs a program in a folder and returns its standard output. `env` adds to its environment. Throws with its errors if it fails.
 * `npm` is the npm that runs this.
 */
export async function run(program, args, folder, env = {}) {
  const npm = process.env.npm_execpath
  const isScript = program === 'npm' && npm?.endsWith('.js')
  const [file, words] = isScript ? [process.execPath, [npm, ...args]] : [program, args]
  const { stdout } = await promisify(execFile)(file, words, {
    cwd: folder,
    env: { ...process.env, ...env },
    maxBuffer: MAX_OUTPUT,
  })
  return stdout
}
