/**
 * Uploads as multipart/form-data: the same rules as for base64 in JSON
 * (src/modules/messaging/messages/DECISIONS.md).
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { fileOf, uploadOf } from '../../../../test/support/files.ts'
import { DASHBOARD_ENDPOINTS, ENDPOINTS } from '../../../catalog.ts'
import { buildOpenapi } from '../../../http/openapi/document.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
})
afterAll(() => parley.close())

async function post(form: FormData | string | Buffer, headers: Record<string, string> = {}) {
  const answer = await fetch(`${parley.url}/api/v1/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.key}`, ...headers },
    body: form as RequestInit['body'],
  })
  // biome-ignore lint/suspicious/noExplicitAny: a body of the API as its clients see it
  return { status: answer.status, body: (await answer.json()) as any }
}

const formOf = (
  bytes: Buffer,
  { type = 'image/png', name = 'chart.png', ...fields }: Record<string, string> = {},
) => {
  const form = new FormData()
  for (const [field, text] of Object.entries(fields)) form.set(field, text)
  form.set('file', new Blob([new Uint8Array(bytes)], { type }), name)
  return form
}

test('a file is uploaded unchanged; its part contains its name and type', async () => {
  const { status, body } = await post(formOf(fileOf('image/png', 300_000)))
  expect(status, JSON.stringify(body)).toBe(200)
  const sent = await shop.post('/send', { to: '+919812345678', type: 'image', image: { id: body.id } })
  expect([200, 400].includes(sent.status), sent.text).toBe(true)
  // A separate field takes precedence over the part's headers.
  const declared = await post(formOf(fileOf('image/png', 1_000), { mimeType: 'application/pdf' }))
  expect(declared.status).toBe(400)
  expect(declared.body.message).toContain('application/pdf')
})

test('the same upload with the same Idempotency-Key is one upload, with any boundary', async () => {
  const headers = { 'idempotency-key': randomUUID() }
  const bytes = fileOf('image/png', 5_000)
  const first = await post(formOf(bytes), headers)
  const repeated = await post(formOf(bytes), headers)
  expect([first.status, repeated.status, repeated.body]).toEqual([200, 200, first.body])
  const other = await post(formOf(fileOf('image/png', 5_001)), headers)
  expect([other.status, other.body.error]).toEqual([422, 'idempotency_key_reused'])
})

test('errors in a form are named', async () => {
  const bytes = fileOf('image/png', 1_000)
  const unknown = await post(formOf(bytes, { shade: 'blue' }))
  expect([unknown.status, unknown.body.issues[0].path]).toEqual([400, 'shade'])
  const withoutFile = new FormData()
  withoutFile.set('filename', 'a.png')
  expect((await post(withoutFile)).body).toMatchObject({ error: 'invalid', issues: [{ path: 'fileBase64' }] })
  const second = formOf(bytes)
  second.set('other', new Blob([new Uint8Array(bytes)]), 'b.png')
  expect((await post(second)).body).toMatchObject({
    error: 'invalid',
    message: 'The body must have one file.',
  })
  const empty = await post(formOf(Buffer.alloc(0)))
  expect([empty.status, empty.body.issues[0]]).toEqual([
    400,
    { path: 'fileBase64', message: 'Must not be empty.' },
  ])
  for (const type of ['multipart/form-data', 'multipart/form-data; boundary=x'])
    expect(await post('--x\r\nnothing', { 'content-type': type })).toMatchObject({
      status: 400,
      body: { error: 'invalid' },
    })
  const cut = Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\nPNG')
  expect((await post(cut, { 'content-type': 'multipart/form-data; boundary=x' })).status).toBe(400)
  expect((await post('a', { 'content-type': 'text/plain' })).status).toBe(415)
  // The service keeps running.
  expect((await shop.get('/me')).status).toBe(200)
})

test('a file of more than 16 MB is 413, as in JSON', async () => {
  const answer = await post(
    formOf(fileOf('application/pdf', 16 * 1024 * 1024 + 1), { type: 'application/pdf' }),
  )
  expect([answer.status, answer.body.error]).toEqual([413, 'payload_too_large'])
  expect((await shop.post('/media', uploadOf('image/png', 1_000))).status).toBe(200)
})

test('the API description shows each upload in both forms', () => {
  const { paths } = buildOpenapi({ endpoints: ENDPOINTS, events: [], serverUrl: 'https://x' }) as never as {
    paths: Record<string, Record<string, { requestBody: { content: Record<string, object> } }>>
  }
  const uploads = ENDPOINTS.filter((value) => value.kind === 'upload')
  expect(uploads.length).toBeGreaterThan(1)
  for (const value of uploads)
    expect(
      Object.keys(paths[value.path]![value.method.toLowerCase()]!.requestBody.content),
      value.path,
    ).toEqual(['application/json', 'multipart/form-data'])
  expect(DASHBOARD_ENDPOINTS.some((value) => value.kind === 'upload')).toBe(true)
})
