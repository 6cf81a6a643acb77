/** Files of direct messages on the dashboard (src/modules/selling/social/DECISIONS.md "Files of direct messages"). */
import { request } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley } from '../../../../../test/support/boot.ts'
import { type FileAnswer, jpegOf, makeFileHost } from '../../../../../test/support/post-files.ts'
import { signIn } from '../../../../../test/support/sessions.ts'
import {
  atNetwork,
  customerWrites,
  openSocialShop,
  type SocialShop,
} from '../../../../../test/support/social-shop.ts'
import { newMid } from '../../../../social-network/simulator/calls/chats.ts'

let parley: TestParley
let shop: SocialShop
let files: Awaited<ReturnType<typeof makeFileHost>>
let customerId: string
let cookie: string

beforeAll(async () => {
  files = await makeFileHost()
  parley = await boot({ env: files.env })
  shop = await openSocialShop(parley)
  ;({ customerId } = await customerWrites(parley, shop, { from: 'asha_r', text: 'Hi' }))
  ;({ cookie } = await signIn(parley, shop, 'viewer'))
})
afterAll(async () => {
  await parley?.close()
  await files?.close()
})

/** Sends a file as the customer, and returns the id of its message. */
async function sendFile(answer: FileAnswer | Buffer, url = files.serve(answer)): Promise<string> {
  const message = { mid: newMid(), attachments: [{ type: 'image', payload: { url } }] }
  const ids = { sender: { id: customerId }, recipient: { id: shop.networkId }, timestamp: Date.now() }
  const id = await atNetwork(parley, shop, (store, account) =>
    store.report(account, { messaging: { ...ids, message } }),
  )
  await customerWrites(parley, shop, { from: 'asha_r', text: 'There it is' })
  return id as string
}

async function read(id: string, headers: Record<string, string> = { cookie }) {
  const answer = await request(`${parley.url}/api/dashboard/files/${id}?workspace=${shop.workspaceId}`, {
    headers: { 'sec-fetch-site': 'same-origin', ...headers },
  })
  return {
    status: answer.statusCode,
    headers: answer.headers,
    bytes: Buffer.from(await answer.body.arrayBuffer()),
  }
}

test('a picture is passed on to members of the workspace', async () => {
  const photo = jpegOf()
  const id = await sendFile(photo)
  const answer = await read(id)
  expect([answer.status, answer.bytes.equals(photo)]).toEqual([200, true])
  expect(answer.headers).toMatchObject({ 'content-type': 'image/jpeg', 'cache-control': 'private, no-store' })
  expect((await read(id, {})).status).toBe(401)
})

test('other types of files, errors, and private addresses are not passed on', async () => {
  const answers: FileAnswer[] = [
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<script>'),
    (response) => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end('<svg/>'),
    (response) => response.writeHead(404, { 'content-type': 'image/jpeg' }).end(),
    (response) =>
      response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': 30_000_000 }).end(),
  ]
  for (const answer of answers) expect((await read(await sendFile(answer))).status).toBe(404)
  expect((await read(await sendFile(jpegOf(), 'https://10.0.0.1/1.jpg'))).status).toBe(404)
})
