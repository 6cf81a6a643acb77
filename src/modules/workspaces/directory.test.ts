import { expect, test } from 'vitest'
import { systemClock } from '../../core/clock.ts'
import type { Query } from '../../core/context.ts'
import { createDirectory } from './directory.ts'

test('who asks after a change is not answered by a look-up that began before it', async () => {
  const looks: ((rows: object[]) => void)[] = []
  // PostgreSQL as it may be: slow, and each look-up sees what was there when it began.
  const query: Query = <Row>() =>
    new Promise<Row[]>((resolve) => looks.push((rows) => resolve(rows as Row[])))
  const directory = createDirectory(query, systemClock)
  directory.setListening(true)
  const before = directory.workspace('w')
  const beside = directory.workspace('w')
  directory.forget('w')
  const after = directory.workspace('w')
  expect(looks).toHaveLength(2)
  looks[1]!([{ id: 'w', name: 'New', plan: 'pro' }])
  looks[0]!([{ id: 'w', name: 'Old', plan: 'pro' }])
  expect((await Promise.all([before, beside, after])).map((one) => one?.name)).toEqual(['Old', 'Old', 'New'])
  expect((await directory.workspace('w'))?.name, 'what is remembered').toBe('New')
  expect(looks).toHaveLength(2)
})
