// Tests files at the operator: the adapter against the simulator over HTTP (docs/formats.md sections 5 and
// 16).
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fileOf } from '../../test/support/files.ts'
import { DAY_MS, later, MINUTE_MS, systemClock } from '../core/clock.ts'
import { createCloudOperator } from './cloud/operator.ts'
import type { Answered, Operator, OperatorNumber } from './port.ts'
import { startSimulator } from './simulator/start.ts'
import { createTimerStore, type TimerStore } from './simulator/timer-store.ts'

const simulated = {
  operatorId: '106000000000001',
  accountId: '102000000000001',
  token: 'token-1',
  displayNumber: '15550100',
}
const outsider = {
  operatorId: '106000000000002',
  accountId: '102000000000002',
  token: 'token-2',
  displayNumber: '15550101',
}

let aheadMs = 0
const clock = { ...systemClock, now: () => later(new Date('2026-06-01T09:30:00.000Z'), aheadMs) }
let store: TimerStore
let simulator: Awaited<ReturnType<typeof startSimulator>>
let operator: Operator
let number: OperatorNumber
let other: OperatorNumber

beforeAll(async () => {
  store = createTimerStore({
    numbers: [simulated, outsider],
    callbackUrl: 'http://127.0.0.1:9',
    appSecret: 's',
    clock,
  })
  simulator = await startSimulator({ store, port: 0, host: '127.0.0.1' })
  operator = createCloudOperator()
  number = { id: 'number-1', operator: 'simulator', baseUrl: simulator.url, ...simulated }
  other = { id: 'number-2', operator: 'simulator', baseUrl: simulator.url, ...outsider }
})
beforeEach(() => {
  aheadMs = 0
})
afterAll(async () => {
  store.close()
  await operator.close()
  await simulator.close()
})

const outbound = (mimeType: string, bytes: Buffer = fileOf(mimeType, 200_000)) => ({
  filename: 'a "file"\r\nof मेनू.bin',
  mimeType,
  sizeBytes: bytes.length,
  stream: () => Readable.from([bytes.subarray(0, 1000), bytes.subarray(1000)], { objectMode: false }),
})
const done = <Value>(answered: Answered<Value>): Value => {
  if (answered.kind !== 'done') throw new Error(JSON.stringify(answered))
  return answered.value
}
const uploaded = async (mimeType = 'image/png') =>
  done(await operator.uploadMedia(number, outbound(mimeType))).id

describe('a file', () => {
  test('is uploaded in a stream, looked up, and downloaded with the token', async () => {
    const bytes = fileOf('image/png', 200_000)
    const id = await uploaded()
    const found = done(await operator.findMedia(number, id))
    expect(found).toEqual({
      url: expect.stringContaining(simulator.url),
      mimeType: 'image/png',
      sha256: createHash('sha256').update(bytes).digest('hex'),
      sizeBytes: 200_000,
    })
    const download = done(await operator.downloadMedia(number, found.url))
    expect(download.sizeBytes).toBe(200_000)
    expect((await buffer(download.stream)).equals(bytes)).toBe(true)
  })

  test('has an address that is valid for five minutes, and a new one on request', async () => {
    const id = await uploaded()
    const { url } = done(await operator.findMedia(number, id))
    aheadMs = 5 * MINUTE_MS
    expect(await operator.downloadMedia(number, url)).toMatchObject({ kind: 'refused', error: { code: 100 } })
    const second = done(await operator.findMedia(number, id))
    done(await operator.downloadMedia(number, second.url)).stream.destroy()
  })

  test('is not returned for another token, nor for a forged address', async () => {
    const id = await uploaded()
    const { url } = done(await operator.findMedia(number, id))
    expect(await operator.downloadMedia(other, url)).toMatchObject({ kind: 'refused', error: { code: 100 } })
    const unauthorized = { ...number, token: 'nobody' }
    expect(await operator.downloadMedia(unauthorized, url)).toMatchObject({
      kind: 'refused',
      error: { code: 190 },
    })
    expect(await operator.findMedia(other, id)).toMatchObject({ kind: 'refused' })
    const forged = url.replace(/ext=\d+/, `ext=${clock.now().getTime() + DAY_MS}`)
    expect(await operator.downloadMedia(number, forged)).toMatchObject({ kind: 'refused' })
  })

  test('is deleted after 30 days, or on request', async () => {
    const [old, dropped] = [await uploaded(), await uploaded()]
    expect(await operator.deleteMedia(number, dropped)).toEqual({ kind: 'done', value: undefined })
    expect(await operator.findMedia(number, dropped)).toMatchObject({
      kind: 'refused',
      error: { code: 100, permanent: true },
    })
    aheadMs = 30 * DAY_MS
    expect(await operator.findMedia(number, old)).toMatchObject({ kind: 'refused', error: { code: 100 } })
  })

  test.each([
    ['of an unknown type', outbound('image/gif', Buffer.from('GIF89a')), 100],
    ['that is too large', outbound('image/png', fileOf('image/png', 5 * 1024 * 1024 + 1)), 131053],
  ])('%s is rejected', async (_, file, code) => {
    expect(await operator.uploadMedia(number, file)).toMatchObject({ kind: 'refused', error: { code } })
  })

  test('whose source fails is not uploaded, and no request is left open', async () => {
    const file = {
      ...outbound('image/png'),
      stream: () =>
        Readable.from(
          (async function* () {
            yield fileOf('image/png', 1000)
            throw new Error('the disk is gone')
          })(),
          { objectMode: false },
        ),
    }
    expect(await operator.uploadMedia(number, file)).toMatchObject({
      kind: 'unknown',
      reason: expect.stringContaining('disk'),
    })
    expect(await uploaded()).toMatch(/^\d+$/)
  })

  test("is fetched only from the operator's host unless other hosts are allowed", async () => {
    expect(await operator.downloadMedia(number, 'http://127.0.0.1:9/file')).toMatchObject({
      kind: 'not_sent',
    })
    const requested: string[] = []
    const reaching = createCloudOperator({
      otherHosts: async (url, call) => {
        requested.push(url, call.headers.authorization ?? '')
        return {
          status: 200,
          headers: { 'content-length': '2' },
          body: Readable.from([Buffer.from('ok')], { objectMode: false }),
        }
      },
    })
    const download = done(await reaching.downloadMedia(number, 'https://files.example/1'))
    expect([(await buffer(download.stream)).toString(), download.sizeBytes]).toEqual(['ok', 2])
    expect(requested).toEqual(['https://files.example/1', 'Bearer token-1'])
    await reaching.close()
  })
})

describe('the simulated operator', () => {
  const post = async (form: FormData, path = `/v24.0/${simulated.operatorId}/media`) => {
    const answer = await fetch(simulator.url + path, {
      method: 'POST',
      headers: { authorization: 'Bearer token-1' },
      body: form,
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const formOf = (parts: Record<string, string>, type: string, bytes = fileOf('image/png')) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(parts)) form.set(name, value)
    form.set('file', new Blob([new Uint8Array(bytes)], { type }), 'a.bin')
    return form
  }
  const whatsapp = { messaging_product: 'whatsapp' }
  const typeOf = async (id: unknown) => done(await operator.findMedia(number, String(id))).mimeType

  test('takes the type from the field, then from the part, then from the bytes', async () => {
    const field = await post(formOf({ ...whatsapp, type: 'image/jpeg' }, 'image/png'))
    const part = await post(formOf(whatsapp, 'image/jpeg'))
    const bytes = await post(formOf(whatsapp, 'application/octet-stream'))
    expect([await typeOf(field.body.id), await typeOf(part.body.id), await typeOf(bytes.body.id)]).toEqual([
      'image/jpeg',
      'image/jpeg',
      'image/png',
    ])
  })

  test('answers 404 at the address of a deleted file, with any token', async () => {
    const [dropped, old] = [await uploaded(), await uploaded()]
    const addresses = await Promise.all(
      [dropped, old].map(async (id) => done(await operator.findMedia(number, id)).url),
    )
    const get = async (url: string, token = 'token-1') => {
      const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
      await answer.body?.cancel()
      return answer.status
    }
    expect(await get(addresses[0]!)).toBe(200)
    await operator.deleteMedia(number, dropped)
    aheadMs = 30 * DAY_MS
    expect([await get(addresses[0]!), await get(addresses[1]!)]).toEqual([404, 404])
    expect(await get(addresses[0]!, 'nobody')).toBe(401)
  })

  test('accepts messaging_product in the query', async () => {
    const path = `/${simulated.operatorId}/media?messaging_product=whatsapp`
    expect(await post(formOf({}, 'image/png'), path)).toMatchObject({
      status: 200,
      body: { id: expect.any(String) },
    })
  })

  test.each([
    ['messaging_product', formOf({}, 'image/png')],
    [
      'file',
      (() => {
        const form = new FormData()
        form.set('messaging_product', 'whatsapp')
        return form
      })(),
    ],
  ])('requires %s', async (name, form) => {
    expect(await post(form)).toMatchObject({
      status: 400,
      body: { error: { code: 100, message: `(#100) The parameter ${name} is required.` } },
    })
  })
})
