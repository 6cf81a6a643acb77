import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

test('services in one process count only their own requests, and report the same process figures', async () => {
  const [first, other] = [createMetrics(), createMetrics()]
  first.countRequest({ requestId: 'a', method: 'GET', route: '/leads', status: 200, ms: 3 })
  expect(await first.text()).toContain('route="/leads"')
  expect(await other.text()).not.toContain('route="/leads"')
  for (const text of [await first.text(), await other.text()]) {
    expect(text).toContain('parley_process_resident_memory_bytes')
    expect(text.match(/^# TYPE parley_nodejs_gc_duration_seconds/gm)).toHaveLength(1)
  }
})
