import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { compiledMark } from './compiled.mjs'
import { allocatorSettings, heapFlags } from './heap-flags.mjs'
import { runChild } from './run-child.mjs'

/**
 * Has the sources compiled, unless they are, before `command` runs. Where that does not succeed the service compiles for itself.
 * @returns what `command` answers, or how the compiling was ended by a signal
 */
export async function afterCompiling(root, node, command) {
  if (!existsSync(compiledMark(root, process.env.NODE_COMPILE_CACHE, heapFlags))) {
    console.error('Compiling (first run, or the sources changed) ...')
    const env = { ...allocatorSettings, ...process.env }
    const { code, signal } = await runChild(node, [...heapFlags, join(root, 'bin/compile.mjs')], {
      env,
      stdio: ['ignore', 2, 2],
    })
    if (signal) return { code, signal }
  }
  return command()
}
