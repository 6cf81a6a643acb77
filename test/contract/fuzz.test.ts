/**
 * Every operation of `GET /openapi.json` under requests that a generator creates from its description (spec
 * 4.1, 7). Every request is answered promptly and as the document says, and a rejected request writes
 * nothing. `FUZZ_RUNS` is the number of requests for each operation; `TEST_SEED` repeats a run.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../src/core/endpoint.ts'
import { documentedPath } from '../../src/http/openapi/operation.ts'
import { type Answered, boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { rowCountsOf } from '../support/records.ts'
import { seedOf } from '../support/seed.ts'
import { arrange, arranging } from './arrange.ts'
import { conform } from './conform.ts'
import { type Case, casesOf } from './fuzz/cases.ts'
import { KEYED, named, type Prepared } from './requests.ts'

const ARRANGING = await arranging()

const RUNS = Number(process.env.FUZZ_RUNS) || 10
const SLOWEST_MS = 5_000

const seed = seedOf('fuzz')
let parley: TestParley
let document: object
beforeAll(async () => {
  // Without the worker, only requests change data.
  parley = await boot({ ...ARRANGING, env: { ...ARRANGING.env, PARLEY_ROLES: 'web' } })
  document = (await parley.anonymous.get('/openapi.json')).body
})
afterAll(() => parley.close())

type Scene = { shop: TestWorkspace; prepared: Prepared }

const scene = async (value: Endpoint): Promise<Scene> => {
  const shop = await parley.workspace({ sandbox: true })
  // A workspace gets its first pipeline with the first request that reads one, even if the request fails.
  await shop.get('/pipeline')
  return { shop, prepared: await arrange(value, shop) }
}

describe.each(named(KEYED))('%s', (_, value) => {
  test('answers every request as the document says, and writes nothing when it rejects one', async () => {
    const method = value.method.toLowerCase()
    let { shop, prepared } = await scene(value)
    let rows = await rowCountsOf(parley, shop.workspaceId)
    const send = async (input: Case): Promise<Answered> => {
      const answer = await shop.call(value.method, input.path, input.body, { headers: input.headers })
      if (answer.status !== 429)
        return answer
        // Its bucket is empty: the next workspace has a full bucket.
      ;({ shop } = await scene(value))
      rows = await rowCountsOf(parley, shop.workspaceId)
      return shop.call(value.method, input.path, input.body, { headers: input.headers })
    }
    const property = fc.asyncProperty(
      casesOf(document, documentedPath(value.path), method, prepared),
      async (input) => {
        const startedMs = performance.now()
        const answer = await send(input)
        const tookMs = performance.now() - startedMs
        expect(answer.status, answer.text).toBeLessThan(500)
        expect(tookMs, 'milliseconds').toBeLessThan(SLOWEST_MS)
        conform(value, answer)
        if (input.broken) expect(answer.status, answer.text).toBeGreaterThanOrEqual(400)
        const after = await rowCountsOf(parley, shop.workspaceId)
        if (answer.status >= 400) expect(after, `refused with ${answer.text}`).toEqual(rows)
        rows = after
      },
    )
    await fc.assert(property, {
      seed: seed + KEYED.indexOf(value),
      numRuns: RUNS,
      endOnFailure: !process.env.FUZZ_SHRINK,
    })
  })
})
