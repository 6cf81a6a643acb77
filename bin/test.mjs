import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { runChild } from './run-child.mjs'

/** More failed files than this are not a hiccup of the machine. */
const MAX_REPEATED = 10
/** Files that are named with their time after a run of the whole suite. */
const SLOWEST = 20

/**
 * Runs the tests; the last line of output counts them. Fails if a test failed, no test ran, or vitest
 * crashed. After a run of the whole suite, a few files with failed tests run a second time. A test that
 * passes then counts as passed, and is named as FLAKY.
 */
export async function test(root, node, args) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-results-'))
  try {
    const first = await runVitest(root, node, folder, args)
    if (args.length === 0) for (const line of slowest(first.files)) console.log(line)
    const files = [...new Set(first.tests.filter(hasFailed).map(({ file }) => file))]
    const isRepeated = args.length === 0 && !first.signal && files.length > 0 && files.length <= MAX_REPEATED
    if (!isRepeated) return { code: report(first.tests, first.code), signal: first.signal }
    const failed = first.tests.filter(hasFailed)
    for (const { name } of failed) console.log(`FAILED, RUNNING ITS FILE AGAIN: ${name}`)
    const second = await runVitest(root, node, folder, files)
    const isPassed = ({ name }) =>
      second.tests.some((found) => found.name === name && found.status === 'passed')
    for (const { name } of failed.filter(isPassed)) console.log(`FLAKY: ${name}`)
    const others = first.tests.filter(({ file }) => !files.includes(file))
    return { code: report([...others, ...second.tests], second.code), signal: second.signal }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runVitest(root, node, folder, args) {
  const file = join(folder, 'results.json')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const { code, signal } = await runChild(node, [vitest, 'run', ...reporters, ...args], { cwd: root })
  const files = readFiles(root, file)
  rmSync(file, { force: true })
  return { code, signal, files, tests: files.flatMap((found) => found.tests) }
}

const hasFailed = ({ status }) => status === 'failed'

/** Prints what was skipped, what failed, and the counts. Returns the exit code. */
function report(tests, code) {
  const count = (...statuses) => tests.filter((found) => statuses.includes(found.status)).length
  const skipped = tests.filter((found) => ['skipped', 'pending', 'todo', 'disabled'].includes(found.status))
  for (const { name } of skipped) console.log(`SKIPPED: ${name}`)
  for (const { name } of tests.filter(hasFailed)) console.log(`FAILED: ${name}`)
  const [passed, failed] = [count('passed'), count('failed')]
  const isBroken = failed === 0 && (code !== 0 || passed === 0)
  if (isBroken) console.log(passed === 0 ? 'NO TEST PASSED' : 'THE TEST RUN BROKE: see the errors above')
  const tail = skipped.length > 0 ? `, ${skipped.length} skipped` : ''
  // A run that broke outside of its tests counts as one failure, even if all tests passed.
  console.log(`${passed} passed, ${failed + (isBroken ? 1 : 0)} failed${tail}`)
  return failed > 0 || isBroken ? code || 1 : 0
}

function slowest(files) {
  const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(0)} s`
  const sum = files.reduce((total, { ms }) => total + ms, 0)
  const sorted = files.toSorted((one, other) => other.ms - one.ms).slice(0, SLOWEST)
  return [
    `SLOWEST of ${files.length} files, which took ${seconds(sum)} beside each other:`,
    ...sorted.map(({ file, ms }) => `  ${seconds(ms).padStart(6)} ${file}`),
  ]
}

// A file that can't be loaded has no tests in the report, and counts as one failure.
function readFiles(root, results) {
  let found
  try {
    found = JSON.parse(readFileSync(results, 'utf8'))
  } catch {
    return []
  }
  return found.testResults.map((result) => {
    const file = relative(root, result.name)
    const isUnloaded = result.assertionResults.length === 0 && result.status === 'failed'
    const tests = isUnloaded
      ? [{ file, name: file, status: 'failed' }]
      : result.assertionResults.map(({ status, fullName }) => ({
          file,
          status,
          name: `${file}: ${fullName}`,
        }))
    return { file, ms: result.endTime - result.startTime, tests }
  })
}
