import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeBillOfMaterials } from './release/bill-of-materials.mjs'
import { releaseProblems } from './release/checks.mjs'
import { packChart, packPython } from './release/other-packages.mjs'
import { run } from './release/run.mjs'
import { writeServerPackage } from './release/server-package.mjs'
import { reportLicenses } from './release/third-party.mjs'
import { runChild } from './run-child.mjs'

const USAGE = `npm run release -- VERSION [options]
  VERSION        the version, as in package.json and CHANGELOG.md
  --skip-tests   don't run the tests first
  --skip-python  don't build the Python SDK, which needs Python 3.9 and its package index
  --to FOLDER    the folder of the files (default: release)`

/**
 * Checks that this tree can be released, and writes the files of the release. It publishes nothing. Returns the exit code: 2 for
 * wrong usage.
 */
export async function release(root, node, args) {
  const options = readArguments(args)
  if (!options) {
    console.error(USAGE)
    return { code: 2, signal: null }
  }
  const { version, skipTests, skipPython, folder = join(root, 'release') } = options
  const problems = await releaseProblems(root, node, version)
  if (problems.length > 0) {
    console.error(`Version ${version} can't be released:`)
    for (const problem of problems) console.error(`  ${problem}`)
    return { code: 1, signal: null }
  }
  if (!skipTests) {
    const { code, signal } = await runChild(node, [join(root, 'bin/launch.mjs'), 'test'], { cwd: root })
    if (code !== 0) return { code, signal }
  }
  const files = await writeRelease(root, version, folder, { python: !skipPython })
  console.log(`\nThe files of version ${version} are in ${folder}. Nothing is published.`)
  for (const name of files) console.log(`  ${name}`)
  return { code: 0, signal: null }
}

function readArguments(args) {
  const [skipTests, skipPython] = ['--skip-tests', '--skip-python'].map((flag) => args.includes(flag))
  const words = args.filter((word) => !['--skip-tests', '--skip-python'].includes(word))
  const [version, flag, folder] = words
  if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version ?? '')) return undefined
  if (words.length === 1) return { version, skipTests, skipPython }
  return flag === '--to' && folder && words.length === 3
    ? { version, skipTests, skipPython, folder }
    : undefined
}

/** Writes every file of the release to an empty `folder`, with `python` also the Python SDK; returns their names. */
export async function writeRelease(root, version, folder, { python = false } = {}) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  // The folder's depth is part of the source maps' paths, so the package is always built here.
  const staged = join(root, 'dist/package')
  const shipped = await writeServerPackage(root, staged)
  await pack(staged, folder)
  await packClient(root, folder)
  await packN8n(root, folder)
  await packChart(root, version, folder)
  if (python) await packPython(root, folder)
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const { report, refused } = reportLicenses(packages, shipped)
  if (refused.length > 0) throw new Error(`Licenses that are not on the list:\n${refused.join('\n')}`)
  writeFileSync(join(folder, 'licenses.txt'), report)
  await writeBillOfMaterials(root, join(folder, 'parley.cdx.json'), shipped)
  writeFileSync(join(folder, 'README.txt'), notes(version))
  const names = readdirSync(folder).sort()
  const sums = names.map((name) => `${sumOf(join(folder, name))}  ${name}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
  return readdirSync(folder).sort()
}

const sumOf = (path) => createHash('sha256').update(readFileSync(path)).digest('hex')

/** Packs a folder with npm, which sorts the files and gives them a fixed time. */
async function pack(from, to) {
  // Our own settings file, so that no setting of this machine decides about the package.
  const empty = mkdtempSync(join(tmpdir(), 'parley-pack-'))
  try {
    await run(
      'npm',
      ['pack', '--ignore-scripts', '--pack-destination', to, '--userconfig', join(empty, 'npmrc')],
      from,
    )
  } finally {
    rmSync(empty, { recursive: true })
  }
}

/** Packs the client for programs, if it is a package. */
async function packClient(root, folder) {
  let manifest
  try {
    manifest = JSON.parse(readFileSync(join(root, 'sdk/package.json'), 'utf8'))
  } catch {
    return
  }
  if (manifest.private) return
  if (manifest.scripts?.build) await run('npm', ['run', 'build'], join(root, 'sdk'))
  await pack(join(root, 'sdk'), folder)
}

/** Packs the nodes for n8n. */
async function packN8n(root, folder) {
  await run(process.execPath, [join(root, 'n8n/build.mjs')], root)
  await pack(join(root, 'n8n'), folder)
}

const notes = (version) => `Parley ${version}

parley-${version}.tgz        the server as an npm package: npm install ./parley-${version}.tgz, then npx parley start
parley-sdk-${version}.tgz    the SDK for TypeScript and JavaScript
parley_sdk-${version}*       the SDK for Python: a wheel, and its sources
n8n-nodes-parley-${version}.tgz  the nodes for n8n
parley-chart-${version}.tgz  the Helm chart
parley.cdx.json         the bill of materials (CycloneDX)
licenses.txt            the licenses of all packages
SHA256SUMS              check the files: sha256sum --check SHA256SUMS

Container image: docker build -f deploy/image/Dockerfile -t parley:${version} .
The same commit, with the same versions of Node and npm, gives the same bytes: docs/releasing.md.
`
