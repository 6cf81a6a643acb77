import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './installation-root.ts'

/** Returns the version of this Parley, such as `1.2.0`. */
export function readOwnVersion(): string {
  const text = readFileSync(join(ROOT, 'package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

const partsOf = (version: string): number[] => version.split(/[.-]/).slice(0, 3).map(Number)

/** Returns whether the version `a` is lower than `b`; text after a hyphen does not count. */
export function isOlderVersion(a: string, b: string): boolean {
  const [own, other] = [partsOf(a), partsOf(b)]
  const place = own.findIndex((part, i) => part !== other[i])
  return place !== -1 && own[place]! < other[place]!
}
