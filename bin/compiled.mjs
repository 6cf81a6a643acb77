// What is compiled before the service starts, and where it stands that it was. Plain JavaScript without dependencies, as
// everything in this folder.
import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Paths of the files that the service may load, those included that it loads when somebody asks for them. */
export const serviceSources = (root) =>
  readdirSync(join(root, 'src'), { recursive: true })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !/^cli[\\/]/.test(path))
    .map((path) => join(root, 'src', path))
    .sort()

/** A file of the cache that is there once the sources, as they are, were compiled for a Node with these flags. */
export function compiledMark(root, cache, flags) {
  const hash = createHash('sha256').update(JSON.stringify([flags, process.getuid?.()]))
  for (const path of [...serviceSources(root), join(root, 'package-lock.json')]) {
    const { size, mtimeMs } = statSync(path)
    hash.update(`${path} ${size} ${mtimeMs}\n`)
  }
  return join(cache, `sources-${hash.digest('hex').slice(0, 16)}`)
}
