/**
 * Operations with outbound calls between their transactions: their answer is remembered with their effect, or
 * later, and never lost.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../src/core/endpoint.ts'
import { type Answered, boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { rowCountsOf } from '../support/records.ts'
import { until } from '../support/until.ts'
import { arrange, arranging } from './arrange.ts'

const ARRANGING = await arranging()

import { ask, named, probe, WRITES } from './requests.ts'

/** Tables of rows that a sweep deletes when the operation failed. */
const INTENTS = ['jobs', 'media']
const OUTSIDE = WRITES.filter((value) => value.kind === 'outside' || value.kind === 'upload')
/** An action whose result is unknown is never repeated: its retry says so (spec 4.6). */
const isUnconfirmable = (value: Endpoint) => value.refuses.some((code) => code.endsWith('_unconfirmed'))

let parley: TestParley
beforeAll(async () => {
  parley = await boot({ ...ARRANGING, env: { ...ARRANGING.env, PARLEY_ROLES: 'web' } })
  await parley.system(async (tx) => {
    await tx.sql('create table forgetful (workspace_id uuid)')
    await tx.sql('grant select on forgetful to parley_tenant')
    await tx.sql(`create function forget_answer() returns trigger language plpgsql as $$ begin
      if new.status is not null and exists (select from forgetful f where f.workspace_id = new.workspace_id) then
        raise 'no answer is remembered now';
      end if;
      return new;
    end $$`)
    await tx.sql(
      'create trigger forget before insert or update on idempotency_keys for each row execute function forget_answer()',
    )
  })
})
afterAll(() => parley.close())

/** Runs `work` while no answer of the workspace can be remembered. */
async function withoutRemembering(shop: TestWorkspace, work: () => Promise<Answered>): Promise<Answered> {
  await parley.system((tx) => tx.sql('insert into forgetful values ($1)', [shop.workspaceId]))
  const answer = await work()
  await parley.system((tx) => tx.sql('delete from forgetful where workspace_id = $1', [shop.workspaceId]))
  return answer
}

/**
 * Returns how many rows the workspace has in every table, and how far its clock was moved; an intent alone is
 * no effect.
 */
async function effectsOf(shop: TestWorkspace): Promise<Record<string, number>> {
  const counts = Object.entries(await rowCountsOf(parley, shop.workspaceId))
  const [found] = await parley.system((tx) =>
    tx.sql<{ clock: number; uploads: number }>(
      `select clock_offset_ms as clock, (select count(*) from media where workspace_id = $1 and operator_id is not null) as uploads
       from workspaces where id = $1`,
      [shop.workspaceId],
    ),
  )
  return { ...Object.fromEntries(counts.filter(([name]) => !INTENTS.includes(name))), ...found }
}

const newShop = () => parley.workspace({ sandbox: true })
const retryUntilSettled = (shop: TestWorkspace, send: () => Promise<Answered>) =>
  until(async () => {
    const answer = await send()
    return answer.body.error !== 'idempotency_key_in_progress' && answer
  }, `the idempotency key of ${shop.workspaceId} has its answer`)

describe.each(named(OUTSIDE))('%s', (_, value) => {
  /** Returns the answer to `work`, and the rows that it adds to the workspace. */
  async function observed(shop: TestWorkspace, work: () => Promise<Answered>) {
    const before = await effectsOf(shop)
    const answer = await work()
    const added = Object.entries(await effectsOf(shop)).map(([name, count]) => [name, count - before[name]!])
    // A file that the operator received twice is there twice until the operator deletes both; the first has
    // no owner.
    const counted = added.filter(([name]) => !(value.kind === 'upload' && name === 'simulator_objects'))
    return { answer, added: Object.fromEntries(counted) }
  }

  test('a retry gets the answer that the first request would have had, and nothing happens twice', async () => {
    const [plain, shop] = [await newShop(), await newShop()]
    const [plainRequest, request] = [await arrange(value, plain), await arrange(value, shop)]
    const options = { idempotencyKey: randomUUID() }
    const expected = await observed(plain, () => ask(plain, value, plainRequest, options))
    expect(expected.answer.status).toBeLessThan(300)
    const found = await observed(shop, async () => {
      const failed = await withoutRemembering(shop, () => ask(shop, value, request, options))
      expect(failed.status, failed.text).toBeGreaterThanOrEqual(500)
      return retryUntilSettled(shop, () => ask(shop, value, request, options))
    })
    if (isUnconfirmable(value)) expect(found.answer.status).toBe(502)
    else expect([found.answer.status, found.added]).toEqual([expected.answer.status, expected.added])
    const replay = await ask(shop, value, request, options)
    expect([replay.text, replay.headers['idempotent-replayed']]).toEqual([found.answer.text, 'true'])
  })
})

describe.each(named(OUTSIDE.filter((value) => value.subject)))('%s', (_, value) => {
  test('an error that could not be remembered immediately is remembered later', async () => {
    const shop = await newShop()
    const request = { ...probe(value), ...(value.body ? { body: value.example } : {}) }
    const options = { idempotencyKey: randomUUID() }
    const failed = await withoutRemembering(shop, () => ask(shop, value, request, options))
    expect(failed.status, failed.text).toBeGreaterThanOrEqual(500)
    const answer = await retryUntilSettled(shop, () => ask(shop, value, request, options))
    expect([answer.status, answer.headers['idempotent-replayed']]).toEqual([404, 'true'])
  })
})

test("a retry is answered although the first request moved the clock past its key's 24 hours", async () => {
  const shop = await newShop()
  const options = { idempotencyKey: randomUUID() }
  const advance = () => shop.post('/sandbox/clock', { advanceSeconds: 3 * 86_400 }, options)
  const first = await advance()
  expect(first.status, first.text).toBe(200)
  const replay = await advance()
  expect([replay.text, replay.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
})
