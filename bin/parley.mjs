// Runs a command of `parley` in this process, if its Node is new enough and its bundle is up to date.
import { existsSync } from 'node:fs'
// By its default export, because Node 20 has no `enableCompileCache`.
import module from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { findBundle } from './bundle-cache.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const packaged = join(root, 'dist/server/cli.mjs')
const OLDEST_NODE = 26

const [name, ...rest] = process.argv.slice(2)
const isStart = name === 'start' && !rest.some((word) => word === '--help' || word === '-h')
const program =
  isStart || Number.parseInt(process.versions.node, 10) < OLDEST_NODE
    ? undefined
    : existsSync(packaged)
      ? packaged
      : findBundle(root, process.argv.slice(2))
if (program === undefined) {
  const { launchParley } = await import('./launch-parley.mjs')
  await launchParley(root, process.argv.slice(2))
} else {
  module.enableCompileCache(join(root, 'node_modules/.cache/compiled'))
  await import(pathToFileURL(program))
}
