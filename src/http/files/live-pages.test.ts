/** `npm run dev`: the same server and port serve the pages from their sources and update open tabs. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { request } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley } from '../../../test/support/boot.ts'
import { ROOT } from '../../core/installation-root.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot({ pages: 'live' })
})
afterAll(() => parley?.close())

async function fetchPath(path: string) {
  const answer = await request(parley.url + path)
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
}

test('every page address returns the page with the update script; only these pages have the wider policy', async () => {
  for (const path of ['/', '/sign-in']) {
    const { status, headers, text } = await fetchPath(path)
    expect([path, status]).toEqual([path, 200])
    expect(text).toContain('/@vite/client')
    expect(headers['content-security-policy']).toContain("script-src 'self' 'unsafe-inline'")
  }
  const api = await fetchPath('/api/v1/contacts')
  expect(api.status).toBe(401)
  expect(String(api.headers['content-security-policy'] ?? '')).not.toContain('unsafe')
})

test('sources are served as they are now, including JSON texts and styles', async () => {
  const main = await fetchPath('/main.tsx')
  expect(main.status).toBe(200)
  expect(main.headers['content-type']).toContain('text/javascript')
  expect(main.text).toContain('createRoot')
  expect((await fetchPath('/styles.css')).status).toBe(200)
  expect((await fetchPath('/kit/no-such-part.tsx')).status).toBe(404)
})

test('every folder of the pages is served, also where the API has routes of the same name', async () => {
  const folders = readdirSync(join(ROOT, 'dashboard'), { withFileTypes: true }).filter((entry) =>
    existsSync(join(ROOT, 'dashboard', entry.name, 'ar.json')),
  )
  const paths = folders.flatMap(({ name }) => [`/${name}/en.json?import`, `/${name}/ar.json?import`])
  const answers = await Promise.all([...paths, '/sign-in/page.tsx'].map(fetchPath))
  const found = answers.map(({ status, headers }) => `${status} ${headers['content-type']}`)
  expect(new Set(found)).toEqual(new Set(['200 text/javascript']))
})

test('open tabs receive changes on the same port', async () => {
  const token = /const wsToken = "([^"]+)"/.exec((await fetchPath('/@vite/client')).text)?.[1]
  const socket = new WebSocket(`${parley.url.replace('http', 'ws')}/?token=${token}`, 'vite-hmr')
  const first = await new Promise((resolve, reject) => {
    socket.onmessage = ({ data }) => resolve(JSON.parse(String(data)))
    socket.onerror = () => reject(new Error('the socket was refused'))
  })
  expect(first).toEqual({ type: 'connected' })
  socket.close()
})
