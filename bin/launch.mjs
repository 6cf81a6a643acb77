// Every script of package.json starts here, under whatever Node the machine has (20 or later): installs what is
// missing, then runs the command on the Node that comes with the packages. No dependencies, plain JavaScript.
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { check } from './check.mjs'
import { faults } from './faults.mjs'
import { findNode } from './find-node.mjs'
import { allocatorSettings, heapFlags } from './heap-flags.mjs'
import { installMissing } from './install.mjs'
import { withPages } from './pages-beside.mjs'
import { runChild } from './run-child.mjs'
import { test } from './test.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

const commands = {
  start: (node, args) =>
    withPages(root, node, () =>
      runChild(node, [...heapFlags, join(root, 'src/main.ts'), ...args], {
        env: { ...allocatorSettings, ...process.env },
      }),
    ),
  // The pages are made from their sources at every request, and change in the browser as they are edited.
  dev: (node, args) => runChild(node, ['--watch', join(root, 'src/main.ts'), '--live-pages', ...args]),
  bench: (node, args) => runChild(node, [join(root, 'bench/main.ts'), ...args]),
  parley: (node, args) => runChild(node, [join(root, 'src/cli/main.ts'), ...args]),
  test: (node, args) => test(root, node, args),
  faults: (node, args) => faults(root, node, args),
  check: (node) => check(root, node),
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
  // Compiled code is kept: a command then starts in half the time.
  process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'compiled')
  process.env.PATH = dirname(node) + delimiter + (process.env.PATH ?? '')
  const { code, signal } = await command(node, args)
  // Ends the way the command ended, so that whoever waits for us sees the same.
  if (signal) process.kill(process.pid, signal)
  else process.exitCode = code
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
