import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

test('services in one process count only their own requests, and report the same process figures', async () => {
  const [one, other] = [createMetrics(), createMetrics()]
  one.countRequest({ requestId: 'a', method: 'GET', route: '/leads', status: 200, ms: 3 })
  expect(await one.text()).toContain('route="/leads"')
  expect(await other.text()).not.toContain('route="/leads"')
  for (const text of [await one.text(), await other.text()]) {
    expect(text).toContain('parley_process_resident_memory_bytes')
    expect(text.match(/^# TYPE parley_nodejs_gc_duration_seconds/gm)).toHaveLength(1)
  }
})
