/** Encryption of push messages (RFC 8291, with the `aes128gcm` coding of RFC 8188). */
import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

const CURVE = 'prime256v1'
const RECORD_BYTES = 4096
const SALT_BYTES = 16
/** Marks the end of the last record. */
const LAST = Buffer.from([2])
/** The salt, the record's length, the length of the key, the key, and the tag and end mark of the record. */
const OVERHEAD_BYTES = SALT_BYTES + 4 + 1 + 65 + 16 + 1
/** The longest payload that every push service accepts. */
export const MAX_PAYLOAD_BYTES = RECORD_BYTES - OVERHEAD_BYTES

const derive = (key: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, bytes))

type Recipient = { p256dh: string; auth: string }
/** Random values, which tests fix. */
type Fixed = { privateKey?: Buffer; salt?: Buffer }

/** Encrypts a payload for one browser. Throws if its key is not a point of the curve. */
export function encryptPush(payload: string, { p256dh, auth }: Recipient, fixed: Fixed = {}): Buffer {
  const receiverKey = Buffer.from(p256dh, 'base64url')
  const sender = createECDH(CURVE)
  if (fixed.privateKey) sender.setPrivateKey(fixed.privateKey)
  else sender.generateKeys()
  const senderKey = sender.getPublicKey()
  const salt = fixed.salt ?? randomBytes(SALT_BYTES)
  const shared = derive(
    sender.computeSecret(receiverKey),
    Buffer.from(auth, 'base64url'),
    Buffer.concat([Buffer.from('WebPush: info\0'), receiverKey, senderKey]),
    32,
  )
  const key = derive(shared, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(shared, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const record = Buffer.concat([
    cipher.update(Buffer.concat([Buffer.from(payload), LAST])),
    cipher.final(),
    cipher.getAuthTag(),
  ])
  const recordLength = Buffer.alloc(4)
  recordLength.writeUInt32BE(RECORD_BYTES)
  return Buffer.concat([salt, recordLength, Buffer.from([senderKey.length]), senderKey, record])
}

/** Returns whether a browser's keys can be encrypted for. */
export function areUsableKeys(recipient: Recipient): boolean {
  try {
    encryptPush('', recipient)
    return Buffer.from(recipient.auth, 'base64url').length === SALT_BYTES
  } catch {
    return false
  }
}
