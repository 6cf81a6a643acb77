import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../core/installation-root.ts'

/**
 * Returns why `version` of Node cannot run the project; undefined if it can. Each program loads it first,
 * because an older Node would fail only when a request first needs a missing feature (`Temporal` in Node 24).
 */
export function unsupportedNode(version: string): string | undefined {
  const { engines, serverEngines = engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const minVersion = Number(/^>=(\d+)$/.exec(serverEngines.node)?.[1])
  if (Number(/\d+/.exec(version)?.[0]) >= minVersion) return undefined
  return (
    `Parley requires Node ${minVersion} or later, but this is ${version}. Start it with \`npm start\` or \`bin/parley\`, which use the Node ` +
    `in the installed packages, or install Node ${minVersion}.`
  )
}

/** Ends the process with exit code 1 and the reason if its Node is too old. */
export function requireNode(): void {
  const reason = unsupportedNode(process.version)
  if (reason === undefined) return
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}
