import { createPublicKey, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { areUsableKeys, encryptPush, MAX_PAYLOAD_BYTES } from './encrypt.ts'
import { vapidHeader, vapidKeysOf } from './vapid.ts'

const bytes = (text: string): Buffer => Buffer.from(text, 'base64url')
const RECEIVER = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}

test('a message is encrypted as in the example of RFC 8291, section 5', () => {
  const encrypted = encryptPush('When I grow up, I want to be a watermelon', RECEIVER, {
    privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
    salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
  })
  expect(encrypted.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
})

test('the longest payload fits into one record, and two messages never look the same', () => {
  const payload = 'x'.repeat(MAX_PAYLOAD_BYTES)
  expect(encryptPush(payload, RECEIVER).length).toBe(4096)
  expect(encryptPush('same', RECEIVER)).not.toEqual(encryptPush('same', RECEIVER))
})

test('keys that are no point of the curve, or too short, are unusable', () => {
  expect(areUsableKeys(RECEIVER)).toBe(true)
  expect(areUsableKeys({ ...RECEIVER, p256dh: RECEIVER.p256dh.replace('BCV', 'BCX') })).toBe(false)
  expect(areUsableKeys({ ...RECEIVER, auth: 'AAAA' })).toBe(false)
})

test('the sender signs for the origin of the push service, for less than a day (RFC 8292)', () => {
  const keys = vapidKeysOf(bytes('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'))
  // The key pair of the receiver in RFC 8291.
  expect(keys.publicKey).toBe(RECEIVER.p256dh)
  const now = new Date('2026-11-29T10:00:00Z')
  const header = vapidHeader(keys, {
    endpoint: 'https://push.example/send/abc',
    contact: 'https://parley.example',
    now,
  })
  const [, head = '', claims = '', signature = ''] = /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=/.exec(header)!
  expect(JSON.parse(bytes(head).toString())).toEqual({ typ: 'JWT', alg: 'ES256' })
  expect(JSON.parse(bytes(claims).toString())).toEqual({
    aud: 'https://push.example',
    exp: now.getTime() / 1_000 + 12 * 3_600,
    sub: 'https://parley.example',
  })
  const key = createPublicKey(keys.privateKey)
  expect(
    verify('sha256', Buffer.from(`${head}.${claims}`), { key, dsaEncoding: 'ieee-p1363' }, bytes(signature)),
  ).toBe(true)
})
