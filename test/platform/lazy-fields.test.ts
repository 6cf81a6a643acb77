/** The bundle builds the fields of schemas at their first use (bin/lazy-fields.mjs). */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withLazyFields } from '../../bin/lazy-fields.mjs'

const ROOT = join(import.meta.dirname, '../..')

/** Runs the code of a module as the bundle contains it. Returns its last value. */
function runBundled(code: string, last: string): unknown {
  const module = `${withLazyFields(`import { z } from 'zod'\n${code}`, 'schemas.ts')}\nconsole.log(JSON.stringify(${last}))`
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '--eval', module], {
      cwd: ROOT,
      encoding: 'utf8',
    }),
  )
}

const FIELDS = `
  const built = []
  const text = (name) => { built.push(name); return z.string().min(2) }
  const Lead = z.strictObject({ name: text('name'), 'first-note': (text('note')) })
  const Patch = Lead.extend({ stage: text('stage') }).partial()
  const atStart = [...built]
  const faults = [Patch, Lead, Patch].map((schema) => schema.safeParse({ name: 'A', other: 1 }).error.issues.map(({ path, code }) => [code, ...path]))
`

test('a field is built at the first use of its schema, and once for all schemas with it', () => {
  expect(
    runBundled(FIELDS, '{ atStart, built, isShared: Patch.shape.name.unwrap() === Lead.shape.name, faults }'),
  ).toEqual({
    atStart: [],
    built: ['name', 'note', 'stage'],
    isShared: true,
    faults: [
      [['too_small', 'name'], ['unrecognized_keys']],
      [['too_small', 'name'], ['invalid_type', 'first-note'], ['unrecognized_keys']],
      [['too_small', 'name'], ['unrecognized_keys']],
    ],
  })
})

test('a field that depends on a variable which changes is built where it is written', () => {
  const code = `
    let limit = 3
    const built = []
    const Name = z.object({ name: (built.push('name'), z.string().max(limit)), other: z.string() })
    const atStart = [...built]
    limit = 1
  `
  expect(runBundled(code, "[atStart, Name.safeParse({ name: 'abc', other: '' }).success]")).toEqual([
    ['name'],
    true,
  ])
})

test('code without schemas is left as it is', () => {
  expect(withLazyFields('export const size = ({ a }: { a: number }) => a', 'size.ts')).toBeUndefined()
})
