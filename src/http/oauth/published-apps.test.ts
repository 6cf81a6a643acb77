/** Apps that publish what they are at an https address, which is then their id. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allow, newRequest, REDIRECT_URI, redeem } from '../../../test/support/apps.ts'
import { boot, type TestParley, type TestWorkspace } from '../../../test/support/boot.ts'
import { makeFileHost } from '../../../test/support/post-files.ts'
import { type Browser, DASHBOARD, signIn } from '../../../test/support/sessions.ts'

let host: Awaited<ReturnType<typeof makeFileHost>>
let parley: TestParley
let shop: TestWorkspace
let admin: Browser

beforeAll(async () => {
  host = await makeFileHost()
  parley = await boot({ env: host.env })
  shop = await parley.workspace()
  admin = await signIn(parley, shop)
})
afterAll(async () => {
  await parley?.close()
  await host?.close()
})

type Respond = Exclude<Parameters<typeof host.serve>[0], Buffer>

/** Serves a document, which may name its own address. */
function publish(documentOf: (url: string) => unknown): string {
  const respond: Respond = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(documentOf(url)))
  }
  const url = host.serve(respond)
  return url
}
const read = (clientId: string) =>
  admin.post(`${DASHBOARD}/app-requests`, { query: newRequest(clientId).query })

test('its name comes from its host, and it connects like any other app', async () => {
  const clientId = publish((client_id) => ({
    client_id,
    client_name: 'Published helper',
    redirect_uris: [REDIRECT_URI],
  }))
  expect((await read(clientId)).body).toMatchObject({
    state: 'asked',
    app: { name: 'Published helper', publishedBy: new URL(clientId).host, receiver: 'assistant.example' },
  })
  const { query, verifier } = newRequest(clientId)
  const code = (await allow(admin, query)).searchParams.get('code')!
  const { status, body } = await redeem(parley.url, { code, clientId, verifier })
  expect(status).toBe(200)
  expect((await shop.get('/me', { key: body.access_token })).status).toBe(200)
})

test('a document of another app, without addresses, or with other addresses is refused', async () => {
  const documents: ((url: string) => unknown)[] = [
    () => ({ client_id: 'https://other.example/app.json', redirect_uris: [REDIRECT_URI] }),
    () => ({ redirect_uris: [REDIRECT_URI] }),
    (client_id) => ({ client_id }),
    (client_id) => ({ client_id, redirect_uris: ['https://other.example/callback'] }),
    (client_id) => ({ client_id, redirect_uris: ['javascript:alert(1)'] }),
    () => 'text',
    (client_id) => ({ client_id, redirect_uris: [REDIRECT_URI], more: 'x'.repeat(70_000) }),
  ]
  for (const documentOf of documents) expect((await read(publish(documentOf))).status).toBe(400)
})

test('an address that fails, redirects, or answers no JSON is refused', async () => {
  const answers: Respond[] = [
    (response) => response.writeHead(500).end(),
    (response) => response.writeHead(302, { location: 'https://127.0.0.1/' }).end(),
    (response) => response.writeHead(200).end('<html>'),
    (response) => response.destroy(),
  ]
  for (const answer of answers) expect((await read(host.serve(answer))).status).toBe(400)
})
