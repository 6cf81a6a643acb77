/**
 * Measures the rule of ../contract/secret-comparisons.test.ts (docs/reliability.md row 28): rejecting a
 * nearly right secret takes no longer than rejecting a completely wrong one. The checks run in this process,
 * as authentication calls them, because over a network the difference would be too small to measure.
 */
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ENDPOINTS } from '../../src/catalog.ts'
import { systemClock } from '../../src/core/clock.ts'
import { Refusal } from '../../src/core/errors.ts'
import { createSealer } from '../../src/core/sealing.ts'
import { newApiKey, sameSecret, withChecksum } from '../../src/core/values/api-key.ts'
import { type OpenDatabase, openDatabase } from '../../src/database/database.ts'
import { admit } from '../../src/http/auth/authentication.ts'
import { createFileTokens } from '../../src/http/auth/file-tokens.ts'
import { createDirectory, type Directory } from '../../src/modules/platform/workspaces/directory.ts'
import { createApiKey } from '../../src/modules/platform/workspaces/operations/api-keys.ts'
import { createWorkspace } from '../../src/modules/platform/workspaces/operations/workspaces.ts'
import { signWebhook, verifyWebhookSignature } from '../../src/operator/webhook-signature.ts'
import { SECRET_KEY } from '../support/boot.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { recordFigures, timeFor } from '../support/fault-run.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { type Race, race } from '../support/stopwatch.ts'

const SAMPLES = 100_000
/** dudect's authors, and docs/reliability.md section 3, call two classes different from this value on. */
const DIFFERENT_T = 4.5
const WORKSPACES = 64
/** The number of wrong characters at the end of a real secret. */
const GUESSED = 4
const TAKES = timeFor(300_000)

const random = randomFrom(seedOf('secret timing'))

let testDatabase: TestDatabase
let database: OpenDatabase
let directory: Directory
/** Secrets from the database, and as many unknown secrets. */
const keys: [string[], string[]] = [[], []]
const captureTokens: [string[], string[]] = [[], []]

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  const options = { onError: () => {}, recordEvents: async () => {}, onCommit: () => {} }
  database = openDatabase({ url: testDatabase.url, connections: 2, ...options })
  directory = createDirectory(database.query, systemClock)
  const sealer = createSealer(SECRET_KEY)
  const now = systemClock.now()
  await database.system(async (tx) => {
    for (let i = 0; i < WORKSPACES; i++) {
      const { workspaceId, captureToken } = await createWorkspace(tx, { name: `Shop ${i}` }, now, sealer)
      const { apiKey } = await createApiKey(tx, { workspaceId, role: 'admin' }, now)
      keys[0].push(apiKey)
      keys[1].push(newApiKey(false))
      captureTokens[0].push(captureToken)
      captureTokens[1].push(randomBytes(Buffer.from(captureToken, 'base64url').length).toString('base64url'))
    }
  })
})
afterAll(async () => {
  await database?.close()
  await testDatabase?.drop()
})

/** Returns a string as the request parser creates it: in one piece, and never hashed or compared before. */
const freshCopy = (text: string): string => Buffer.from(text, 'latin1').toString('latin1')

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** Returns `secret` with other characters at its end. */
function wrongSecret(secret: string): string {
  const end = Array.from({ length: GUESSED }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return end === secret.slice(-GUESSED) ? wrongSecret(secret) : secret.slice(0, -GUESSED) + end
}

/** Returns `bytes` with a different first, or last, byte. */
function changeByte(bytes: Buffer, atTheEnd: boolean): Buffer {
  const position = atTheEnd ? bytes.length - 1 : 0
  return Buffer.concat([
    bytes.subarray(0, position),
    Buffer.of(bytes[position]! ^ randomInt(1, 256)),
    bytes.subarray(position + 1),
  ])
}

const oneOf = <Value>(values: Value[]): Value => values[Math.floor(random() * values.length)] as Value

/** Runs a race, adds it to the table, and returns how different its classes are. */
async function timeRace<Input>(label: string, classes: string, contest: Race<Input>): Promise<number> {
  const { samples, t, medianNs } = await race(contest, SAMPLES, random)
  const [first, second] = medianNs.map((ns) => (ns / 1_000).toFixed(2))
  recordFigures({
    rows: '28',
    fault: `stopwatch: ${label}`,
    rounds: 1,
    note: `|t| ${t.toFixed(2)} over ${samples} samples, in the middle ${first} and ${second} us; ${classes}`,
  })
  return t
}

const CHECKSUM_LENGTH = 6
/** Returns false for the expected error; any other error fails the test. */
function isUnknownKey(error: unknown): false {
  if (error instanceof Refusal && error.message.startsWith('Unknown API key')) return false
  throw error
}
const [someEndpoint] = ENDPOINTS.filter((value) => value.role !== null)

test('a wrong API key that begins like a real one is rejected no later than a completely different key', {
  timeout: TAKES,
}, async () => {
  const options = { directory, clock: systemClock, siteUrl: '' }
  const t = await timeRace(
    'API keys',
    `all but ${GUESSED} characters of a real key / like no key; the whole check of a key, database included`,
    {
      draw: (second) => {
        const body = oneOf(keys[second ? 1 : 0]).slice(0, -CHECKSUM_LENGTH)
        return {
          authorization: freshCopy(`Bearer ${withChecksum(wrongSecret(body))}`),
          address: '127.0.0.1',
        }
      },
      check: (request) => admit(options, someEndpoint!, request).then(() => true, isUnknownKey),
    },
  )
  expect(t).toBeLessThan(DIFFERENT_T)
})

test('a wrong token of a capture link that begins like a real one is rejected no later than a completely different token', {
  timeout: TAKES,
}, async () => {
  const t = await timeRace(
    'capture tokens',
    `all but ${GUESSED} characters of a real token / like no token; the whole look-up, database included`,
    {
      draw: (second) => freshCopy(wrongSecret(oneOf(captureTokens[second ? 1 : 0]))),
      check: async (token) => (await directory.workspaceByCaptureToken(token)) !== undefined,
    },
  )
  expect(t).toBeLessThan(DIFFERENT_T)
})

const WEBHOOK_BYTES = 600
/** A body as the operator might send it, with a signature whose last, or first, byte is wrong. */
const drawWebhook = (second: boolean) => {
  const secret = randomBytes(16).toString('hex')
  const body = randomBytes(WEBHOOK_BYTES)
  const right = Buffer.from(signWebhook(body, secret).slice('sha256='.length), 'hex')
  return {
    body,
    secret: freshCopy(secret),
    header: freshCopy(`sha256=${changeByte(right, !second).toString('hex')}`),
  }
}
const webhookClasses = 'last / first byte of the signature wrong'

test("an operator's signature with a wrong last byte is rejected no later than one with a wrong first byte", {
  timeout: TAKES,
}, async () => {
  const t = await timeRace('webhook signatures', webhookClasses, {
    draw: drawWebhook,
    check: ({ body, header, secret }) => verifyWebhookSignature(body, header, secret),
  })
  expect(t).toBeLessThan(DIFFERENT_T)
})

test('a file link whose signature has a wrong last byte is rejected no later than one with a wrong first byte', {
  timeout: TAKES,
}, async () => {
  const tokens = createFileTokens(SECRET_KEY)
  const signatureAt = -32
  const t = await timeRace('links to files', 'last / first byte of the signature wrong', {
    draw: (second) => {
      const link = { workspaceId: randomUUID(), mediaId: randomUUID(), expiresAt: systemClock.now() }
      const bytes = Buffer.from(tokens.sign(link, 'menu.pdf'), 'base64url')
      const otherToken = Buffer.concat([
        bytes.subarray(0, signatureAt),
        changeByte(bytes.subarray(signatureAt), !second),
      ])
      return freshCopy(otherToken.toString('base64url'))
    },
    check: (token) => tokens.read(token, 'menu.pdf') !== undefined,
  })
  expect(t).toBeLessThan(DIFFERENT_T)
})

test('comparing two plain-text secrets that differ in the last byte takes no longer than with a different first byte', {
  timeout: TAKES,
}, async () => {
  const t = await timeRace('secrets in the clear', 'last / first byte wrong', {
    draw: (second) => {
      const right = randomBytes(32)
      return [
        freshCopy(right.toString('base64url')),
        freshCopy(changeByte(right, !second).toString('base64url')),
      ] as const
    },
    check: ([right, candidate]) => sameSecret(candidate, right),
  })
  expect(t).toBeLessThan(DIFFERENT_T)
})

test('the stopwatch detects a comparison that stops at the first difference', {
  timeout: TAKES,
}, async () => {
  const t = await timeRace('a comparison that leaks', webhookClasses, {
    draw: drawWebhook,
    check: ({ body, header, secret }) => {
      const right = signWebhook(body, secret)
      for (let i = 0; i < right.length; i++) if (header[i] !== right[i]) return false
      return true
    },
  })
  expect(t).toBeGreaterThan(DIFFERENT_T)
})
