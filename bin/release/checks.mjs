import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run.mjs'
import { reportLicenses } from './third-party.mjs'

/** Returns why this tree can't be released as `version`, one line each. */
export async function releaseProblems(root, node, version) {
  const checks = [
    () => checkVersion(root, version),
    () => checkChangelog(root, version),
    () => checkMigrations(root),
    () => checkLicenses(root),
    () => checkTree(root),
    () => checkLock(root),
    () => checkReference(root, node),
  ]
  const problems = []
  for (const check of checks) problems.push(...(await check()))
  return problems
}

const read = (root, path) => readFileSync(join(root, path), 'utf8')

export function checkVersion(root, version) {
  const found = JSON.parse(read(root, 'package.json')).version
  return found === version ? [] : [`package.json has version ${found}. Set it to ${version}.`]
}

export function checkChangelog(root, version) {
  const escaped = version.replaceAll('.', '\\.')
  if (new RegExp(`^## \\[${escaped}\\] - \\d{4}-\\d\\d-\\d\\d$`, 'm').test(read(root, 'CHANGELOG.md')))
    return []
  return [`CHANGELOG.md has no heading "## [${version}] - YYYY-MM-DD".`]
}

/** From a release on, its migrations never change: migrations/RELEASED lists their checksums. */
export function checkMigrations(root) {
  const released = read(root, 'migrations/RELEASED')
  const missing = readdirSync(join(root, 'migrations')).filter((name) => {
    if (!name.endsWith('.sql')) return false
    const sum = createHash('sha256')
      .update(readFileSync(join(root, 'migrations', name)))
      .digest('hex')
    return !released.includes(`${sum}  migrations/${name}`)
  })
  if (missing.length === 0) return []
  return [
    `migrations/RELEASED lacks ${missing.length} migrations, or has other checksums for them (${missing[0]}). ` +
      'Add the output of "sha256sum migrations/*.sql".',
  ]
}

export function checkLicenses(root) {
  const { packages } = JSON.parse(read(root, 'package-lock.json'))
  const shipped = new Set(Object.keys(packages).filter((path) => !packages[path].dev))
  return reportLicenses(packages, shipped).refused.map((line) => `The license is not on the list: ${line}.`)
}

async function checkTree(root) {
  const changed = (await run('git', ['status', '--porcelain'], root)).trim()
  return changed === '' ? [] : ['The tree has changes that are not committed.']
}

async function checkLock(root) {
  try {
    await run('npm', ['ci', '--dry-run', '--ignore-scripts', '--no-audit', '--no-fund'], root)
    return []
  } catch (error) {
    return [
      `package-lock.json doesn't fit package.json: ${
        String(error.stderr ?? error.message)
          .trim()
          .split('\n')[0]
      }`,
    ]
  }
}

async function checkReference(root, node) {
  try {
    await run(node, [join(root, 'src/cli/main.ts'), 'reference', '--check'], root)
    return []
  } catch {
    return ['Generated files are stale. Run "npm run parley -- reference" and commit them.']
  }
}
