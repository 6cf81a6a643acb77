/** Other services to compare ours with. They are no dependencies: each is installed on first use. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/parley-bench')
const INSTALLED = 'installed'

/**
 * Returns the folder in which that version of `name` is installed with its dependencies, from the npm
 * registry.
 */
export function installPeer(name: string, version: string, say: (line: string) => void): string {
  const folder = join(CACHE, `${name}-${version}`)
  if (existsSync(join(folder, INSTALLED))) return folder
  say(`  fetching ${name} ${version} from the npm registry, once …`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }))
  // It may require an older Node than ours; whether it runs shows at its start.
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--force']
  execFileSync('npm', ['install', ...flags, `${name}@${version}`], { cwd: folder, stdio: 'pipe' })
  writeFileSync(join(folder, INSTALLED), '')
  return folder
}
