// Compiles what the service may load into the folder of NODE_COMPILE_CACHE, in a process of its own: one that strips types
// itself keeps what it needs for that, 11 MB, as long as it runs (docs/decisions/process.md). Run it with the flags of the service.
import { accessSync, constants, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compiledMark, serviceSources } from './compiled.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const cache = process.env.NODE_COMPILE_CACHE

function isWritable(folder) {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

if (cache && isWritable(cache)) {
  const mark = compiledMark(root, cache, process.execArgv)
  if (!existsSync(mark)) {
    // What only runs in a thread refuses to be loaded here, when it is compiled already.
    await Promise.allSettled(serviceSources(root).map((path) => import(path)))
    flushCompileCache()
    writeFileSync(mark, '')
  }
}
