/** A push service of this machine, and browsers that are subscribed at it and read what they get. */
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Body } from './boot.ts'
import { makeAuthority } from './certificates.ts'
import { until } from './until.ts'

export type Pushed = { path: string; headers: IncomingHttpHeaders; bytes: Buffer }

const derive = (key: Buffer, salt: Buffer, info: Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, length))

/** Creates a browser: what it tells Parley, and how it reads a push (RFC 8291). */
function makeBrowser(endpoint: string) {
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  const auth = randomBytes(16)
  const read = ({ bytes }: Pushed): Body => {
    const salt = bytes.subarray(0, 16)
    const keyLength = bytes[20]!
    const senderKey = bytes.subarray(21, 21 + keyLength)
    const record = bytes.subarray(21 + keyLength)
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), senderKey])
    const shared = derive(keys.computeSecret(senderKey), auth, info, 32)
    const key = derive(shared, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
    const nonce = derive(shared, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
    const decipher = createDecipheriv('aes-128-gcm', key, nonce)
    decipher.setAuthTag(record.subarray(-16))
    const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
    return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString())
  }
  return {
    subscription: {
      endpoint,
      p256dh: keys.getPublicKey().toString('base64url'),
      auth: auth.toString('base64url'),
    },
    read,
  }
}

/** Starts a push service. The installation trusts and reaches it with the returned `env`. */
export async function makePushService() {
  const authority = await makeAuthority()
  const folder = await mkdtemp(join(tmpdir(), 'parley-push-'))
  const caFile = join(folder, 'ca.pem')
  await writeFile(caFile, authority.ca)
  const received: Pushed[] = []
  const statuses: number[] = []
  const server = createServer(await authority.issue('localhost'), (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ path: request.url!, headers: request.headers, bytes: Buffer.concat(chunks) })
      response.writeHead(statuses.shift() ?? 201).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  let browsers = 0
  return {
    env: { PARLEY_EGRESS_ALLOW: '127.0.0.0/8', PARLEY_EGRESS_CA: caFile },
    origin: `https://localhost:${port}`,
    received,
    newBrowser: () => makeBrowser(`https://localhost:${port}/send/${++browsers}`),
    /** Answers the next requests with these statuses, then 201. */
    answerNext: (...next: number[]) => {
      statuses.push(...next)
    },
    /** Waits for the push with this number, from 1. */
    push: async (number: number): Promise<Pushed> => {
      await until(async () => received.length >= number, `push ${number} arrives`)
      return received[number - 1]!
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
