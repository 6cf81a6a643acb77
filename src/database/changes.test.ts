import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../test/support/database.ts'
import { listenForChanges } from './changes.ts'

const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

test('a line that was closed leaves no timer behind', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const before = timers()
  const listener = listenForChanges({
    url: database.url,
    onChange: () => {},
    onStrip: () => {},
    onLine: () => {},
  })
  await listener.caughtUp()
  expect(timers(), 'it is tried now and then').toBe(before + 1)
  await listener.close()
  expect(timers()).toBe(before)
})
