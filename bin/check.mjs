import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { audit } from './audit.mjs'
import { runChild } from './run-child.mjs'

/** Runs every check, even after a failure, and ends with a list of the results. */
export async function check(root, node) {
  const tool = (name) => join(root, 'node_modules/.bin', name)
  const checks = [
    ['types', tool('tsc'), ['--noEmit']],
    ['types of the dashboard', tool('tsc'), ['--noEmit', '-p', 'dashboard']],
    ['types of the documentation site', tool('tsc'), ['--noEmit', '-p', 'site']],
    ['format and lint', tool('biome'), ['check']],
    ['type-aware lint', tool('oxlint'), ['--type-aware']],
    ['dead code', tool('knip'), []],
    ['spelling', tool('cspell'), ['lint', '--no-progress', '--no-summary']],
    ...importTable(root, node),
    ...generatedFiles(root, node),
  ]
  const results = []
  for (const [name, file, args] of checks) {
    console.log(`\n== ${name}`)
    const { code, signal } = await runChild(file, args, { cwd: root })
    if (signal) return { code, signal }
    results.push([name, code === 0])
  }
  console.log('\n== known faults of dependencies')
  results.push(['known faults of dependencies', await audit(root)])
  console.log('')
  for (const [name, passed] of results)
    console.log(`${passed === undefined ? 'NOT RUN' : passed ? 'ok     ' : 'FAILED '}  ${name}`)
  return { code: results.every(([, passed]) => passed !== false) ? 0 : 1, signal: null }
}

function importTable(root, node) {
  const file = 'test/contract/import-table.test.ts'
  if (!existsSync(join(root, file))) return []
  return [['import table', node, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', file]]]
}

function generatedFiles(root, node) {
  const main = join(root, 'src/cli/main.ts')
  const table = join(root, 'src/cli/commands.ts')
  if (!existsSync(table) || !/\breference\b/.test(readFileSync(table, 'utf8'))) return []
  return [['generated files', node, [main, 'reference', '--check']]]
}
