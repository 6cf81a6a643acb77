/** Statements have one right plan (docs/decisions/plans-of-statements.md): a rule over the source, and what comes of it. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { beginHandovers } from '../../src/modules/messages/work/handover-queries.ts'
import { listBusyNumbers } from '../../src/modules/messages/work/lane-queries.ts'
import { boot, type TestParley } from '../support/boot.ts'
import { planOf } from '../support/plans.ts'

const ROOT = join(import.meta.dirname, '../..')
/** `exists` that is not a condition of its own, so that it may be answered from a hash of a whole table. */
const LOOSE_EXISTS = /(?<!\b(?:where|and|not)\s)\bexists \((.*)/gi

/** Where it cannot be, with why. */
const HARMLESS: Record<string, string> = {
  'src/modules/webhooks/record-events.ts: select from made) as made`':
    'asks of nothing but what it has just made',
  'src/modules/webhooks/log-parts.ts: ': 'asks for a range, which no hash can answer',
  'src/modules/broadcasts/cool-off-queries.ts: ': 'asks for a range, which no hash can answer',
}

test('a statement asks with isFound where PostgreSQL might read a whole table into a hash for an exists', () => {
  const loose = globSync('src/modules/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts'] }).flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(LOOSE_EXISTS)].map(([, rest]) => `${file}: ${rest}`),
  )
  expect(loose.sort()).toEqual(Object.keys(HARMLESS).sort())
})

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley?.close())

test('the hand-over finds numbers and campaigns one by one, also when it was planned while nothing waited', async () => {
  const now = new Date()
  const plans = await parley.system(async (tx) => {
    await tx.sql('analyze messages, broadcasts')
    return Promise.all([
      planOf(tx, '', (ctx) => listBusyNumbers(ctx.tx.sql, { now, holder: newId() })),
      planOf(tx, '', (ctx) => beginHandovers(ctx.tx.sql, [], { now, until: now })),
    ])
  })
  for (const plan of plans) {
    expect(plan).toContain('Index')
    expect(plan).not.toContain('hashed')
  }
})
