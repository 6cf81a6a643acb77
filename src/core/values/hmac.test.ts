import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HMAC_ROOM, hmacKey, signAfterRoom } from './hmac.ts'

const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((values) => Buffer.from(values))

test('signs as HMAC-SHA-256 does, for keys and contents of any length', () => {
  fc.assert(
    fc.property(bytes(150), bytes(300), fc.constantFrom('hex', 'base64'), (secret, content, encoding) => {
      const key = hmacKey(secret)
      const expected = createHmac('sha256', secret).update(content).digest(encoding)
      for (let run = 0; run < 2; run++) {
        const buffer = Buffer.concat([Buffer.from(HMAC_ROOM), content])
        expect(signAfterRoom(key, buffer, HMAC_ROOM.length, encoding)).toBe(expected)
      }
    }),
  )
})
