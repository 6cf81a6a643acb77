import { execFileSync } from 'node:child_process'

const CHECK = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 9))'

/** Returns the machine's Python 3.9 or later that can create an environment with pip; undefined if it has none. */
export function findPython(): string | undefined {
  return ['python3', 'python'].find((program) => {
    try {
      execFileSync(program, ['-c', CHECK], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  })
}
