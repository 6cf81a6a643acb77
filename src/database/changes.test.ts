import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../test/support/database.ts'

/** Runs in a separate process, because the test process has other timers. */
const openAndClose = (url: string): string => `
  const { listenForChanges } = await import(${JSON.stringify(join(import.meta.dirname, 'changes.ts'))})
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const nothing = () => {}
  const before = timers()
  const listener = listenForChanges({ url: ${JSON.stringify(url)}, onChange: nothing, onStrip: nothing, onLine: nothing })
  await listener.caughtUp()
  const open = timers() - before
  await listener.close()
  console.log(JSON.stringify({ open, closed: timers() - before }))
`

test('a closed line leaves no timer', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    openAndClose(database.url),
  ])
  expect(JSON.parse(stdout), 'while it is open it is tried now and then').toEqual({ open: 1, closed: 0 })
})
