import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findNode } from './find-node.mjs'
import { allocatorSettings, heapFlags } from './heap-flags.mjs'
import { runChild } from './run-child.mjs'

/** Starts the server, or runs a command whose process or bundle must be prepared first. */
export async function launchParley(root, args) {
  // A clone may need its packages, its pages, or a new bundle.
  if (existsSync(join(root, 'src/main.ts'))) {
    if (args[0] !== 'start') process.argv.splice(2, 0, 'parley')
    await import('./launch.mjs')
    return
  }
  try {
    const node = findNode(root)
    const { code, signal } =
      args[0] === 'start'
        ? await runChild(node, [...heapFlags, join(root, 'dist/server/main.mjs'), ...args.slice(1)], {
            env: { ...allocatorSettings, ...process.env },
          })
        : await runChild(node, [join(root, 'bin/parley.mjs'), ...args])
    if (signal) process.kill(process.pid, signal)
    else process.exitCode = code
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
