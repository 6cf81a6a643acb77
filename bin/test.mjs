import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { runChild } from './run-child.mjs'

/**
 * Runs the tests; the last line of output counts them. Fails if a test failed, no test ran, or vitest
 * crashed.
 */
export async function test(root, node, args) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-results-'))
  const file = join(folder, 'results.json')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  try {
    const { code, signal } = await runChild(node, [vitest, 'run', ...reporters, ...args], { cwd: root })
    const tests = readTests(root, file)
    const count = (...statuses) => tests.filter((found) => statuses.includes(found.status)).length
    const skipped = tests.filter((found) => ['skipped', 'pending', 'todo', 'disabled'].includes(found.status))
    for (const { name } of skipped) console.log(`SKIPPED: ${name}`)
    const [passed, failed] = [count('passed'), count('failed')]
    const broken = failed === 0 && (code !== 0 || passed === 0)
    if (broken) console.log(passed === 0 ? 'NO TEST PASSED' : 'THE TEST RUN BROKE: see the errors above')
    const tail = skipped.length > 0 ? `, ${skipped.length} skipped` : ''
    // A run that broke outside of its tests counts as one failure, even if all tests passed.
    console.log(`${passed} passed, ${failed + (broken ? 1 : 0)} failed${tail}`)
    return { code: failed > 0 || broken ? code || 1 : 0, signal }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

// A file that can't be loaded has no tests in the report, and counts as one failure.
function readTests(root, file) {
  let report
  try {
    report = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return []
  }
  return report.testResults.flatMap((result) => {
    const path = relative(root, result.name)
    if (result.assertionResults.length === 0 && result.status === 'failed')
      return [{ name: path, status: 'failed' }]
    return result.assertionResults.map(({ status, fullName }) => ({ status, name: `${path}: ${fullName}` }))
  })
}
