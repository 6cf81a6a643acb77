/** Retries are safe (spec 4.1.1; docs/clarifications.md "Idempotency"), for every write of the catalog. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { DAY_MS, later, MINUTE_MS, systemClock } from '../../src/core/clock.ts'
import type { Endpoint } from '../../src/core/endpoint.ts'
import { createSealer, isSealed } from '../../src/core/sealing.ts'
import { wasRolledBack } from '../../src/database/faults.ts'
import {
  type Claim,
  claimKeys,
  claimOf,
  deleteExpiredAnswers,
  type Keyed,
  keyedRequest,
  rememberAnswers,
} from '../../src/http/endpoint/idempotency.ts'
import {
  claimOutside,
  fence,
  finishOutside,
  releaseOutside,
} from '../../src/http/endpoint/idempotency-outside.ts'
import {
  type Answered,
  boot,
  type Client,
  clientOf,
  SECRET_KEY,
  type TestParley,
  type TestWorkspace,
} from '../support/boot.ts'
import { openAdmin } from '../support/load.ts'
import { rowCountsOf } from '../support/records.ts'
import { waitForLock } from '../support/stalled-request.ts'
import { arrange, arranging, equippedSandbox, newPhone } from './arrange.ts'
import { ask, named, type Prepared, probe, WRITES } from './requests.ts'

const ARRANGING = await arranging()

// Without the worker, only requests change data.
const QUIET = { ...ARRANGING.env, PARLEY_ROLES: 'web' }

let parley: TestParley
let duplicate: TestParley
beforeAll(async () => {
  parley = await boot({ ...ARRANGING, env: QUIET })
  duplicate = await boot({ ...ARRANGING, env: QUIET, databaseUrl: parley.databaseUrl })
})
afterAll(async () => {
  await duplicate.close()
  await parley.close()
})

const newShop = () => equippedSandbox(parley)
const newKey = (): string => randomUUID()
/** A key whose stored fingerprint matches no request. */
const unreadKey = (key: string): Keyed => ({ key, fingerprint: Buffer.alloc(32) })
const isReplay = (answer: Answered): boolean => answer.headers['idempotent-replayed'] === 'true'

/**
 * Returns a request with the same key and other bytes: an extra space in the body, another record if there is
 * no body, or a body if there is neither.
 */
async function differentRequest(
  value: Endpoint,
  shop: TestWorkspace,
  { path, body }: Prepared,
): Promise<Prepared> {
  if (body !== undefined) return { path, body: `${JSON.stringify(body)} ` }
  const other = await arrange(value, shop)
  return other.path === path ? { path, body: '{}' } : other
}

/** Returns how many rows the workspace has in every table, and how far its clock was moved. */
async function effects(shop: TestWorkspace): Promise<Record<string, number>> {
  const { idempotency_keys: _keys, ...counts } = await rowCountsOf(parley, shop.workspaceId)
  const [clock] = await parley.system((tx) =>
    tx.sql<{ ms: number }>('select clock_offset_ms as ms from workspaces where id = $1', [shop.workspaceId]),
  )
  return { ...counts, clock: Number(clock?.ms) }
}

describe.each(named(WRITES))('%s', (_, value) => {
  // No more requests than the smallest bucket allows.
  test('a retry gets the first answer, byte for byte; other requests get an error; nothing has a second effect; the key is free after 24 hours', async () => {
    const shop = await newShop()
    // The latest arrangement must stay unchanged, so the other record is arranged before it.
    const arranged = await arrange(value, shop)
    const changed = await differentRequest(value, shop, arranged)
    const [request, other] = changed.body === undefined ? [changed, arranged] : [arranged, changed]
    // The maximum length of a key.
    const idempotencyKey = 'k'.repeat(255)
    const first = await ask(shop, value, request, { idempotencyKey })
    expect(first.status, first.text).toBeLessThan(300)
    expect(isReplay(first)).toBe(false)
    const after = await effects(shop)
    const second = await ask(shop, value, request, { idempotencyKey })
    expect([second.status, second.text, isReplay(second)]).toEqual([first.status, first.text, true])
    expect(await effects(shop), 'a retry has no effect').toEqual(after)
    expect(await ask(shop, value, other, { idempotencyKey }), 'another request').toMatchObject({
      status: 422,
      body: { error: 'idempotency_key_reused' },
    })
    expect(await effects(shop), 'a rejected request has no effect').toEqual(after)

    await shop.advance(DAY_MS / 1000 - 120)
    expect(isReplay(await ask(shop, value, request, { idempotencyKey })), 'two minutes before').toBe(true)
    await shop.advance(180)
    const late = await ask(shop, value, other, { idempotencyKey })
    expect(isReplay(late)).toBe(false)
    expect(late.body.error ?? '').not.toMatch(/^idempotency_/)
  })

  test('empty and too long keys are rejected; keys are kept per API key; of twenty concurrent duplicates at two processes exactly one is executed', async () => {
    const [alone, shop] = [await newShop(), await newShop()]
    for (const [label, invalid] of [
      ['empty', ''],
      ['of 256 characters', 'k'.repeat(256)],
    ] as const)
      expect(await ask(alone, value, probe(value), { idempotencyKey: invalid }), label).toMatchObject({
        status: 400,
        body: { error: 'invalid_idempotency_key' },
      })
    const idempotencyKey = newKey()
    const before = [await arrange(value, alone), await arrange(value, shop)] as const
    const colleague = await alone.as('admin')
    const [startAlone, start] = [await effects(alone), await effects(shop)]
    await ask(alone, value, before[0], { idempotencyKey })
    const endAlone = await effects(alone)
    const clients: Client[] = [shop, clientOf(duplicate.url, shop.key)]
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_each, i) =>
        ask(clients[i % 2] as Client, value, before[1], { idempotencyKey }),
      ),
    )
    // If a bucket, or the places for uploads, are fewer than the requests, some requests are rejected before
    // their key is checked.
    const turnedAway = ['idempotency_key_in_progress', 'rate_limited', 'uploads_in_progress']
    const others = answers.filter((answer) => !turnedAway.includes(answer.body.error))
    expect(others.filter((answer) => !isReplay(answer)).map((answer) => answer.text)).toHaveLength(1)
    expect(new Set(others.map((answer) => answer.text)).size).toBe(1)
    expect(others[0]?.status, others[0]?.text).toBeLessThan(300)
    const end = await effects(shop)
    for (const name of Object.keys(end))
      expect([name, end[name]! - start[name]!]).toEqual([name, endAlone[name]! - startAlone[name]!])

    const colleagues = await ask(colleague, value, await differentRequest(value, alone, before[0]), {
      idempotencyKey,
    })
    expect(isReplay(colleagues), 'of another API key').toBe(false)
    expect(colleagues.body.error ?? '').not.toMatch(/^idempotency_/)
  })
})

test('a request that gets the key as soon as the first request commits finds its answer (spec 4.1.1)', async () => {
  const shop = await newShop()
  const [{ workspaceId }, keyId] = [shop, (await shop.get('/me')).body.key.id as string]
  const answer = { status: 200, answer: '{}' }
  const claimUntilFree = async (claim: Claim, onLook: () => void): Promise<string> => {
    for (;;) {
      const [finding] = await parley.system((tx) => claimKeys(tx, [claim]))
      if (finding!.kind !== 'refused') return finding!.kind
      onLook()
    }
  }
  for (let round = 0; round < 100; round++) {
    const claim = claimOf({ workspaceId, keyId }, unreadKey(newKey()), systemClock.now())
    const { promise: othersLook, resolve: reportLook } = Promise.withResolvers<void>()
    const { promise: locked, resolve: hasLocked } = Promise.withResolvers<void>()
    const first = parley.system(async (tx) => {
      expect(await claimKeys(tx, [claim])).toEqual([{ kind: 'fresh' }])
      hasLocked()
      await othersLook
      await rememberAnswers(tx, [claim], [answer], { overExpired: false })
    })
    await locked
    const others = Array.from({ length: 4 }, () => claimUntilFree(claim, reportLook))
    await first
    expect(await Promise.all(others), `round ${round}`).toEqual(Array(4).fill('replay'))
  }
})

describe('remembered answers', () => {
  test.each(named(WRITES.filter((value) => value.body)))(
    '%s: a validation error is not remembered',
    async (_, value) => {
      const shop = await newShop()
      const request = await arrange(value, shop)
      const idempotencyKey = newKey()
      const refused = await ask(
        shop,
        value,
        { path: request.path, body: { unknownOnes: true } },
        { idempotencyKey },
      )
      expect(refused).toMatchObject({ status: 400, body: { error: 'invalid' } })
      const answer = await ask(shop, value, request, { idempotencyKey })
      expect(answer.status, answer.text).toBeLessThan(300)
      expect(isReplay(answer)).toBe(false)
    },
  )

  test.each(named(WRITES.filter((value) => value.subject)))(
    '%s: an error of a rule is remembered, here for a missing record',
    async (_, value) => {
      const shop = await newShop()
      const [id] = probe(value).path.match(/[0-9a-f-]{36}/) as string[]
      const { path, body } = await arrange(value, shop)
      const missing = { path: path.replace(/[0-9a-f-]{36}/, id as string), body }
      const idempotencyKey = newKey()
      const first = await ask(shop, value, missing, { idempotencyKey })
      expect(first).toMatchObject({ status: 404, body: { error: 'not_found' } })
      const second = await ask(shop, value, missing, { idempotencyKey })
      expect([second.status, second.text, isReplay(second)]).toEqual([404, first.text, true])
    },
  )

  test('an error of a rule is shown only when it is remembered', async () => {
    const shop = await newShop()
    const admin = openAdmin(parley.databaseUrl)
    onTestFinished(() => admin.close())
    const path = `/contacts/${randomUUID()}`
    const body = { displayName: 'Asha' }
    const idempotencyKey = newKey()
    let reported = false
    const { pending } = await admin.system(async (tx) => {
      await tx.sql('lock table idempotency_keys in share mode')
      const answer = shop.patch(path, body, { idempotencyKey })
      void answer.then(() => {
        reported = true
      })
      await waitForLock(admin)
      await shop.get('/me')
      expect(reported).toBe(false)
      return { pending: answer }
    })
    expect((await pending).status).toBe(404)
    const replay = await shop.patch(path, body, { idempotencyKey })
    expect([replay.status, isReplay(replay)]).toEqual([404, true])
  })

  test('an authorization error is not remembered', async () => {
    const shop = await newShop()
    const idempotencyKey = newKey()
    const body = { phone: newPhone() }
    const viewer = await shop.as('viewer')
    expect((await viewer.post('/contacts', body, { idempotencyKey })).body.error).toBe('forbidden')
    const replay = await viewer.post('/contacts', { phone: newPhone() }, { idempotencyKey })
    expect(replay.body.error).toBe('forbidden')
  })

  test('an answer with more than ids is stored encrypted, and only the key opens it, which is not stored', async () => {
    const shop = await newShop()
    const idempotencyKey = newKey()
    const options = { idempotencyKey }
    const webhook = { url: `https://127.0.0.1:9/${randomUUID()}` }
    const { secret } = (await shop.post('/webhooks', webhook, options)).body
    expect((await shop.post('/webhooks', webhook, options)).body.secret).toBe(secret)
    const input = { phone: newPhone(), displayName: 'Asha Rao' }
    const contact = await shop.post('/contacts', input, { idempotencyKey: `asha ${idempotencyKey}` })
    const refused = await shop.post(
      '/tasks',
      { leadId: 'Asha', title: 'Call', dueAt: '2030-06-02T10:00:00Z' },
      { idempotencyKey: `call ${idempotencyKey}` },
    )
    expect([contact.status, refused.status]).toEqual([201, 404])
    const rows = await parley.system((tx) =>
      tx.sql<{ answer: Buffer; row: string }>(
        `select answer, k::text || encode(answer, 'escape') as row from idempotency_keys k where workspace_id = $1`,
        [shop.workspaceId],
      ),
    )
    expect(rows.map(({ answer }) => isSealed(answer))).toEqual([true, true, true])
    for (const word of [secret, 'Asha', contact.body.contact.phone, idempotencyKey])
      expect(rows.filter(({ row }) => row.includes(word))).toEqual([])
    const sealer = createSealer(SECRET_KEY)
    for (const { answer } of rows) expect(() => sealer.open(answer)).toThrow()
  })

  test('an answer with only ids is stored unencrypted: sends do not pay for encryption', async () => {
    const shop = await newShop()
    const phone = newPhone()
    await shop.inbound(phone, 'hello')
    const { text } = await shop.post(
      '/send',
      { to: phone, type: 'text', text: 'Hi' },
      { idempotencyKey: newKey() },
    )
    const rows = await parley.system((tx) =>
      tx.sql<{ answer: Buffer }>('select answer from idempotency_keys where workspace_id = $1', [
        shop.workspaceId,
      ]),
    )
    expect(rows.map(({ answer }) => answer.toString())).toContain(text)
  })

  test('is repeated even if the request would be rejected by now, without an outbound call', async () => {
    const shop = await newShop()
    const strict = await boot({ env: { PARLEY_ROLES: 'web' }, databaseUrl: parley.databaseUrl })
    onTestFinished(() => strict.close())
    const strictClient = clientOf(strict.url, shop.key)
    const body = { url: `https://127.0.0.1:9/${randomUUID()}` }
    const idempotencyKey = newKey()
    const first = await shop.post('/webhooks', body, { idempotencyKey })
    expect(first.status).toBe(201)
    const other = { url: `https://127.0.0.1:9/${randomUUID()}` }
    expect(await strictClient.post('/webhooks', other, { idempotencyKey: newKey() })).toMatchObject({
      status: 400,
    })
    const replay = await strictClient.post('/webhooks', body, { idempotencyKey })
    expect([replay.status, replay.text, isReplay(replay)]).toEqual([201, first.text, true])
  })

  test('is deleted after 24 hours, and no sooner', async () => {
    const shop = await newShop()
    for (const idempotencyKey of ['first', 'second'])
      await shop.post('/contacts', { phone: newPhone() }, { idempotencyKey })
    const listExpiries = () =>
      parley.system((tx) =>
        tx.sql<{ at: Date }>(
          'select expires_at as at from idempotency_keys where workspace_id = $1 order by 1',
          [shop.workspaceId],
        ),
      )
    const deleteExpired = (now: Date, max: number) =>
      parley.system((tx) => deleteExpiredAnswers((text, values) => tx.sql(text, values), now, max))
    const [first, second] = (await listExpiries()).map(({ at }) => at) as [Date, Date]
    await deleteExpired(later(first, -1), 1_000_000)
    expect(await listExpiries()).toHaveLength(2)
    expect(await deleteExpired(second, 1), 'so many at once').toBe(1)
    await deleteExpired(second, 1_000_000)
    expect(await listExpiries()).toEqual([])
  })

  test('reads use no key', async () => {
    const shop = await newShop()
    const idempotencyKey = newKey()
    const empty = await shop.get('/contacts', { idempotencyKey })
    await shop.post('/contacts', { phone: newPhone() })
    const full = await shop.get('/contacts', { idempotencyKey })
    expect([empty.body.contacts.length, full.body.contacts.length]).toEqual([0, 1])
  })
})

describe('a key', () => {
  test('may have a single character', async () => {
    const answer = await (await newShop()).post('/contacts', { phone: newPhone() }, { idempotencyKey: 'k' })
    expect(answer.status).toBe(201)
  })

  test('gets its own answer when retries and new requests arrive together', async () => {
    const shop = await newShop()
    const requests = Array.from({ length: 20 }, () => ({ phone: newPhone(), idempotencyKey: newKey() }))
    const post = ({ phone, idempotencyKey }: (typeof requests)[number]) =>
      shop.post('/contacts', { phone }, { idempotencyKey })
    const first = await Promise.all(
      requests.map(async (request, i) => (i % 3 === 0 ? post(request) : undefined)),
    )
    const answers = await Promise.all(requests.map(post))
    for (const [i, answer] of answers.entries()) {
      expect([answer.status, isReplay(answer)]).toEqual([201, i % 3 === 0])
      expect(answer.body.contact.phone).toBe(requests[i]?.phone)
      if (first[i]) expect(answer.text).toBe(first[i].text)
    }
  })

  test('with the same body at another address is another request', async () => {
    const shop = await newShop()
    const [first, second] = await Promise.all(
      [1, 2].map(async () => (await shop.post('/contacts', { phone: newPhone() })).body.contact.id),
    )
    const body = { displayName: 'Asha' }
    const idempotencyKey = newKey()
    expect((await shop.patch(`/contacts/${first}`, body, { idempotencyKey })).status).toBe(200)
    expect(await shop.patch(`/contacts/${second}`, body, { idempotencyKey })).toMatchObject({
      status: 422,
      body: { error: 'idempotency_key_reused' },
    })
    expect((await shop.get(`/contacts/${second}`)).body.contact.displayName).toBeNull()
  })

  test('with the same body at the same address by another method is another request', async () => {
    const shop = await newShop()
    const { id } = (await shop.post('/contacts', { phone: newPhone() })).body.contact
    const body = { displayName: 'Asha' }
    const idempotencyKey = newKey()
    await shop.patch(`/contacts/${id}`, body, { idempotencyKey })
    expect(await shop.call('DELETE', `/contacts/${id}`, body, { idempotencyKey })).toMatchObject({
      status: 422,
      body: { error: 'idempotency_key_reused' },
    })
    expect((await shop.get(`/contacts/${id}`)).status).toBe(200)
  })
})

describe('a request that never finished', () => {
  const path = '/sandbox/clock'
  const body = { advanceSeconds: 60 }

  /** Inserts the claim of a request whose process died during its outbound call, `agoMs` ago. */
  const addAbandonedClaim = async (shop: TestWorkspace, key: string, agoMs: number): Promise<Claim> => {
    const { keyId } = await ownKey(shop)
    const now = new Date()
    const claim = claimOf(
      { workspaceId: shop.workspaceId, keyId },
      keyedRequest(key, 'POST', `/api/v1${path}`, Buffer.from(JSON.stringify(body))),
      later(now, -agoMs),
    )
    expect((await parley.system((tx) => claimOutside(tx, claim, randomUUID()))).kind).toBe('fresh')
    return claim
  }
  const ownKey = async (shop: TestWorkspace) => ({ keyId: (await shop.get('/me')).body.key.id as string })

  test('keeps its key for two minutes', async () => {
    const shop = await newShop()
    await addAbandonedClaim(shop, 'slow', 1.5 * MINUTE_MS)
    expect(await shop.post(path, body, { idempotencyKey: 'slow' })).toMatchObject({
      status: 409,
      body: { error: 'idempotency_key_in_progress' },
    })
  })

  test('then loses its key to a retry, whose answer is remembered', async () => {
    const shop = await newShop()
    await addAbandonedClaim(shop, 'slow', 2.1 * MINUTE_MS)
    const answer = await shop.post(path, body, { idempotencyKey: 'slow' })
    expect([answer.status, isReplay(answer)]).toEqual([200, false])
    const replay = await shop.post(path, body, { idempotencyKey: 'slow' })
    expect([replay.text, isReplay(replay)]).toEqual([answer.text, true])
  })

  test('rejects another request with its key', async () => {
    const shop = await newShop()
    await addAbandonedClaim(shop, 'slow', 2.1 * MINUTE_MS)
    expect(await shop.post(path, { advanceSeconds: 61 }, { idempotencyKey: 'slow' })).toMatchObject({
      status: 422,
      body: { error: 'idempotency_key_reused' },
    })
  })

  test('can commit nothing more after it was superseded', async () => {
    const shop = await newShop()
    const { keyId } = await ownKey(shop)
    const claim = claimOf({ workspaceId: shop.workspaceId, keyId }, unreadKey('fenced'), new Date())
    const [slow, retry] = [randomUUID(), randomUUID()]
    await parley.system((tx) => claimOutside(tx, claim, slow))
    await parley.system((tx) => fence(tx, claim, slow))
    const overtaking = { ...claim, now: later(claim.now, 2.1 * MINUTE_MS) }
    expect((await parley.system((tx) => claimOutside(tx, overtaking, retry))).kind).toBe('fresh')
    await expect(parley.system((tx) => fence(tx, claim, slow))).rejects.toMatchObject({
      code: 'idempotency_key_in_progress',
    })
    await parley.system((tx) => finishOutside(tx, claim, slow, { status: 200, answer: '"slow"' }))
    await parley.system((tx) => finishOutside(tx, claim, retry, { status: 200, answer: '"retry"' }))
    const rows = await parley.system((tx) =>
      tx.sql<{ answer: string }>(
        `select convert_from(answer, 'UTF8') as answer from idempotency_keys where workspace_id = $1 and key_digest = $2`,
        [shop.workspaceId, claim.digest.toString('hex')],
      ),
    )
    expect(rows).toEqual([{ answer: '"retry"' }])
  })

  test('is superseded only between its transactions, never during a transaction', async () => {
    const shop = await newShop()
    const { keyId } = await ownKey(shop)
    const { claim, attempt } = await addClaim(shop, keyId, 'amid')
    const admin = openAdmin(parley.databaseUrl)
    onTestFinished(() => admin.close())
    const { superseded } = await admin.system(async (tx) => {
      await fence(tx, claim, attempt)
      const overtaking = { ...claim, now: later(claim.now, 2 * MINUTE_MS) }
      const finding = parley.system((other) => claimOutside(other, overtaking, randomUUID()))
      await waitForLock(admin)
      return { superseded: finding }
    })
    expect(await superseded).toEqual({ kind: 'fresh' })
  })

  /** Creates a claim of `key` by a request that continues its outbound call, with its attempt. */
  const addClaim = async (shop: TestWorkspace, keyId: string, key: string) => {
    const now = new Date()
    const claim = claimOf({ workspaceId: shop.workspaceId, keyId }, unreadKey(key), now)
    const attempt = randomUUID()
    expect((await parley.system((tx) => claimOutside(tx, claim, attempt))).kind).toBe('fresh')
    return { claim, attempt }
  }
  const listClaims = (shop: TestWorkspace) =>
    parley.system((tx) =>
      tx.sql<{ keyDigest: string; status: number | null }>(
        `select replace(key_digest::text, '-', '') as key_digest, status from idempotency_keys
         where workspace_id = $1 order by started_at`,
        [shop.workspaceId],
      ),
    )

  test('changes no key except its own, however it ends', async () => {
    const shop = await newShop()
    const [{ keyId }, colleague] = [await ownKey(shop), await shop.as('admin')]
    const own = await addClaim(shop, keyId, 'own')
    const other = await addClaim(shop, keyId, 'other')
    const colleagues = await addClaim(shop, colleague.keyId, 'own')
    const row = ({ claim }: { claim: Claim }, status: number | null) => ({
      keyDigest: claim.digest.toString('hex'),
      status,
    })
    const outsider = randomUUID()
    const answer = { status: 200, answer: '{}' }
    await parley.system((tx) => finishOutside(tx, own.claim, outsider, answer))
    await parley.system((tx) => releaseOutside(tx, own.claim, outsider))
    expect(await listClaims(shop)).toEqual([row(own, null), row(other, null), row(colleagues, null)])
    await parley.system((tx) => finishOutside(tx, own.claim, own.attempt, answer))
    await parley.system((tx) => releaseOutside(tx, own.claim, own.attempt))
    expect(await listClaims(shop)).toEqual([row(own, 200), row(other, null), row(colleagues, null)])
    await expect(parley.system((tx) => fence(tx, own.claim, own.attempt))).rejects.toMatchObject({
      code: 'idempotency_key_in_progress',
    })
    await parley.system((tx) => fence(tx, colleagues.claim, colleagues.attempt))
    await parley.system((tx) => releaseOutside(tx, colleagues.claim, colleagues.attempt))
    expect(await listClaims(shop)).toEqual([row(own, 200), row(other, null)])
  })

  test('is superseded after two minutes, and a remembered answer is free after 24 hours, to the millisecond', async () => {
    const shop = await newShop()
    const { keyId } = await ownKey(shop)
    const { claim } = await addClaim(shop, keyId, 'timed')
    const claimAfter = (ms: number, changes: Partial<Claim> = {}) => {
      const retry = { ...claim, now: later(claim.now, ms), ...changes }
      const attempt = randomUUID()
      return { retry, attempt, finding: parley.system((tx) => claimOutside(tx, retry, attempt)) }
    }
    const other = { fingerprint: Buffer.alloc(32, 1) }
    const inProgress = { kind: 'refused', refusal: { code: 'idempotency_key_in_progress' } }
    const reused = { kind: 'refused', refusal: { code: 'idempotency_key_reused' } }
    expect(await claimAfter(2 * MINUTE_MS - 1).finding).toMatchObject(inProgress)
    expect(await claimAfter(2 * MINUTE_MS, other).finding).toMatchObject(reused)
    const { retry, attempt, finding } = claimAfter(2 * MINUTE_MS)
    expect(await finding).toEqual({ kind: 'fresh' })
    const answer = { status: 200, answer: '{}' }
    await parley.system((tx) => finishOutside(tx, retry, attempt, answer))
    const end = 2 * MINUTE_MS + DAY_MS
    expect(await claimAfter(end - 1).finding).toEqual({
      kind: 'replay',
      stored: { ...answer, answer: Buffer.from('{}') },
    })
    expect(await claimAfter(end - 1, other).finding).toMatchObject(reused)
    expect(await claimAfter(end, other).finding).toEqual({ kind: 'fresh' })
    const next = { ...claim, now: later(claim.now, end + DAY_MS) }
    await parley.system(async (tx) => {
      expect(await claimKeys(tx, [next])).toEqual([{ kind: 'fresh', expired: true }])
      await rememberAnswers(tx, [next], [answer], { overExpired: true })
    })
    expect(await listClaims(shop)).toMatchObject([{ status: 200 }])
    // A request that read before a duplicate committed runs again, and finds the duplicate's result.
    for (const overExpired of [false, true]) {
      const late = parley.system((tx) => rememberAnswers(tx, [next], [answer], { overExpired }))
      expect(wasRolledBack(await late.catch((error: unknown) => error))).toBe(true)
    }
  })
})
