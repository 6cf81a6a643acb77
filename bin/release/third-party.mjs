// The packages of others: which of them a release contains, and their licenses.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const SHIPPED_LICENSES = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'PostgreSQL',
  'Unlicense',
  'Zlib',
]
/** Tools build and check Parley, but no release contains them. */
const TOOL_LICENSES = [...SHIPPED_LICENSES, 'CC BY-SA 4.0', 'CC0-1.0', 'MPL-2.0', 'PSF-2.0', 'WTFPL']
/** Packages whose package.json names no license, with the license in their files. */
const LICENSES_IN_FILES = { 'png-js': 'MIT' }

export const nameOf = (path) => path.split('node_modules/').at(-1)

/** Returns the packages of a lock file that the named packages need, with themselves, by path. */
export function collectPackages(packages, names) {
  const found = new Map()
  const add = (from, name) => {
    const path = findPackage(packages, from, name)
    if (path === undefined || found.has(path)) return
    found.set(path, packages[path])
    const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta } = packages[path]
    const peers = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta?.[peer]?.optional)
    for (const needed of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])
      add(path, needed)
  }
  for (const name of names) add('', name)
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Finds a package as Node does: below the package that needs it, or below a folder above. */
function findPackage(packages, from, name) {
  const path = from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`
  if (path in packages) return path
  return from === ''
    ? undefined
    : findPackage(packages, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name)
}

const licenseOf = (path, { license }) => license ?? LICENSES_IN_FILES[nameOf(path)] ?? 'none'

/** An expression such as `(MIT AND Zlib)` or `MIT OR Apache-2.0`, without nested brackets. */
function isAllowed(license, allowed) {
  const alternatives = license.replace(/^\((.*)\)$/, '$1').split(' OR ')
  return alternatives.some((terms) => terms.split(' AND ').every((term) => allowed.includes(term)))
}

/**
 * Returns the license report, and the packages whose license is not on the list for their use. `shipped` are the packages that a
 * release contains or installs.
 */
export function reportLicenses(packages, shipped) {
  const rows = Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .map(([path, locked]) => ({
      name: `${nameOf(path)}@${locked.version}`,
      license: licenseOf(path, locked),
      isShipped: shipped.has(path),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  const refused = rows.filter(
    ({ license, isShipped }) => !isAllowed(license, isShipped ? SHIPPED_LICENSES : TOOL_LICENSES),
  )
  const table = (isShipped) =>
    [
      ...new Set(
        rows
          .filter((row) => row.isShipped === isShipped)
          .map(({ name, license }) => `| ${name} | ${license} |`),
      ),
    ].join('\n')
  const head = '| package | license |\n|---|---|\n'
  const report = `# Licenses

Parley itself is under the Apache License 2.0.

## Packages that a release contains or installs

${head}${table(true)}

## Tools that build and check Parley

${head}${table(false)}
`
  return { report, refused: refused.map(({ name, license }) => `${name}: ${license}`) }
}

/** Returns the notices of packages whose code is part of our files, with the text of each license. */
export function writeNotices(root, paths) {
  const notices = [...paths].sort().map((path) => {
    const { version, license, author } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
    const owner = typeof author === 'string' ? author : author?.name
    return [
      `${nameOf(path)} ${version} (${license ?? LICENSES_IN_FILES[nameOf(path)]})${owner ? `, ${owner}` : ''}`,
      '',
      licenseText(join(root, path)) ?? 'The package contains no text of its license.',
    ].join('\n')
  })
  return [
    'Parley contains code of these packages.',
    ...notices.map((notice) => `${'-'.repeat(80)}\n${notice.trim()}\n`),
  ].join('\n')
}

function licenseText(folder) {
  if (!existsSync(folder)) return undefined
  const file = readdirSync(folder)
    .sort()
    .find((name) => /^(licen[cs]e|copying)/i.test(name))
  return file && readFileSync(join(folder, file), 'utf8')
}
