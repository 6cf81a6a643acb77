// Every script of package.json starts here, on any installed Node (20 or later): installs missing packages,
// then runs the command on the packaged Node. Plain JavaScript without dependencies.
import module from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { findBundle } from './bundle-cache.mjs'
import { check } from './check.mjs'
import { faults } from './faults.mjs'
import { findNode, isNewEnough } from './find-node.mjs'
import { allocatorSettings, heapFlags } from './heap-flags.mjs'
import { installMissing } from './install.mjs'
import { withPages } from './pages-watcher.mjs'
import { runChild } from './run-child.mjs'
import { withServerBundle } from './server-bundle.mjs'
import { test } from './test.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

const commands = {
  start: (node, args) =>
    withPages(root, node, ['dashboard', 'site'], () =>
      withServerBundle(root, node, () =>
        runChild(node, [...heapFlags, join(root, 'bin/serve.mjs'), ...args], {
          env: { ...allocatorSettings, ...process.env },
        }),
      ),
    ),
  // The dashboard is built from its sources on every request, and updates in the browser when it is edited.
  dev: (node, args) =>
    withPages(root, node, ['site'], () =>
      runChild(node, ['--watch', join(root, 'src/main.ts'), '--live-pages', ...args]),
    ),
  bench: (node, args) => runChild(node, [join(root, 'bench/main.ts'), ...args]),
  parley: (node, args) => runCommandLine(node, args),
  test: (node, args) => test(root, node, args),
  faults: (node, args) => faults(root, node, args),
  check: (node) => check(root, node),
  release: async (node, args) => (await import('./release.mjs')).release(root, node, args),
}

/** Runs a command of `parley` in this process if its Node is new enough, from a bundle that is built if necessary. */
async function runCommandLine(node, args) {
  if (!isNewEnough(process.version, root)) return runChild(node, [join(root, 'bin/parley.mjs'), ...args])
  if (findBundle(root, args) === undefined) {
    const stdio = ['ignore', 'ignore', 'ignore']
    await runChild(node, [join(root, 'bin/bundle.mjs')], { stdio })
  }
  // Without the bundler, which is a development package, or with a fault in the sources, the sources run themselves.
  const program = findBundle(root, args) ?? join(root, 'src/cli/main.ts')
  process.argv = [process.execPath, program, ...args]
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE)
  await import(pathToFileURL(program))
  return { code: process.exitCode, signal: null }
}

const [name, ...args] = process.argv.slice(2)
const command = Object.hasOwn(commands, name ?? '') ? commands[name] : undefined
if (!command) {
  console.error(`usage: node bin/launch.mjs ${Object.keys(commands).join('|')} [arguments]`)
  process.exit(2)
}
try {
  await installMissing(root)
  const node = findNode(root)
  // Caching compiled code halves the start time of a command.
  process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'compiled')
  process.env.PATH = dirname(node) + delimiter + (process.env.PATH ?? '')
  const { code, signal } = await command(node, args)
  // Ends with the command's signal or exit code, so that the calling process receives the same.
  if (signal) process.kill(process.pid, signal)
  else process.exitCode = code
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
