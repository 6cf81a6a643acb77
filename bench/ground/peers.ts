/** Other services that ours is measured against. They are no dependency: each is fetched when it is first asked for. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/parley-bench')
const INSTALLED = 'installed'

/** The folder in which `name` of that version is installed, with what it needs, from the npm registry. */
export function installPeer(name: string, version: string, say: (line: string) => void): string {
  const folder = join(CACHE, `${name}-${version}`)
  if (existsSync(join(folder, INSTALLED))) return folder
  say(`  fetching ${name} ${version} from the npm registry, once …`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }))
  // It may ask for an older Node than ours; whether it runs is seen when it starts.
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--force']
  execFileSync('npm', ['install', ...flags, `${name}@${version}`], { cwd: folder, stdio: 'pipe' })
  writeFileSync(join(folder, INSTALLED), '')
  return folder
}
