/**
 * Stand-ins for shops and an assistant at an https address of this machine, with the calls that the service
 * makes.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Body } from './boot.ts'
import { makeAuthority } from './certificates.ts'

export const SHOPIFY_TOKEN = 'shpat_0123456789abcdef'
export const WOO_KEY = 'ck_0123456789abcdef'
export const WOO_SECRET = 'cs_0123456789abcdef'
export const AI_KEY = 'sk-0123456789abcdef'
const AI_MODEL = 'small'

type Asked = { method: string; path: string; headers: IncomingMessage['headers']; body: Body }
type Answer = [status: number, body: unknown]

export type StandInShops = Awaited<ReturnType<typeof startShops>>

export async function startShops() {
  const authority = await makeAuthority()
  const folder = await mkdtemp(join(tmpdir(), 'parley-shops-'))
  const caFile = join(folder, 'ca.pem')
  await writeFile(caFile, authority.ca)
  const requests: Asked[] = []
  /** The calls of Shopify and WooCommerce that register webhooks and write notes and tags of orders. */
  const hooks: { topic: string; delivery_url: string; secret?: string }[] = []
  const marks: { order: string; text: string }[] = []
  let isHanging: (request: Asked) => boolean = () => false
  const held = new Set<ServerResponse>()

  const shopify = ({ headers, body }: Asked): Answer => {
    if (headers['x-shopify-access-token'] !== SHOPIFY_TOKEN) return [401, { errors: 'Invalid API key' }]
    const { query, variables } = body as { query: string; variables: Record<string, string & string[]> }
    if (query.includes('webhookSubscriptionCreate')) {
      hooks.push({ topic: variables.topic!, delivery_url: variables.address! })
      return [200, { data: { webhookSubscriptionCreate: { userErrors: [] } } }]
    }
    if (query.includes('webhookSubscriptions')) {
      const nodes = hooks.map(({ topic, delivery_url: uri }) => ({ topic, uri }))
      return [200, { data: { webhookSubscriptions: { nodes } } }]
    }
    if (query.includes('tagsAdd')) {
      for (const text of variables.tags!) marks.push({ order: variables.id!, text })
      return [200, { data: { tagsAdd: { userErrors: [] } } }]
    }
    const shop = { myshopifyDomain: 'asha.myshopify.com', billingAddress: { countryCodeV2: 'US' } }
    return [200, { data: { shop } }]
  }

  const woo = ({ method, path, headers, body }: Asked): Answer => {
    const [, key] = Buffer.from(String(headers.authorization).slice('Basic '.length), 'base64')
      .toString()
      .split(/^(.*)$/)
    if (key?.split(':')[0] !== WOO_KEY) return [401, { message: 'Consumer key is invalid.' }]
    if (key.split(':')[1] !== WOO_SECRET) return [401, { message: 'Consumer secret is invalid.' }]
    if (path.endsWith('/woocommerce_default_country')) return [200, { value: 'IN:MH' }]
    const note = /\/orders\/(\d+)\/notes/.exec(path)
    if (note && method === 'POST') {
      marks.push({ order: note[1]!, text: body.note })
      return [201, { id: marks.length }]
    }
    if (note) return [200, marks.filter(({ order }) => order === note[1]).map(({ text }) => ({ note: text }))]
    if (method === 'GET') return [200, hooks]
    hooks.push(body)
    return [201, body]
  }

  const assistant = ({ headers, body }: Asked): Answer => {
    if (headers.authorization !== `Bearer ${AI_KEY}`) return [401, { error: { message: 'no such key' } }]
    if (body.model !== AI_MODEL) return [404, { error: { message: `the model ${body.model} is not there` } }]
    return [200, { choices: [{ message: { role: 'assistant', content: 'OK' } }] }]
  }

  const answerTo = (request: Asked): Answer => {
    if (request.path.endsWith('/graphql.json')) return shopify(request)
    if (request.path.startsWith('/wp-json/') || request.path.startsWith('/slow/wp-json/')) return woo(request)
    return request.path === '/v1/chat/completions' ? assistant(request) : [404, {}]
  }

  const server = createServer(await authority.issue('localhost'), (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const body = text === '' ? undefined : JSON.parse(text)
      const call = { method: request.method!, path: request.url!, headers: request.headers, body }
      requests.push(call)
      if (isHanging(call)) {
        held.add(response)
        return
      }
      const [status, json] = answerTo(call)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `https://localhost:${(server.address() as AddressInfo).port}`
  return {
    url,
    env: {
      PARLEY_SHOPIFY_URL: url,
      PARLEY_EGRESS_ALLOW: '127.0.0.0/8,::1/128',
      PARLEY_EGRESS_CA: caFile,
    },
    asked: requests,
    hooks,
    marks,
    held,
    /** From now on these get no answer. */
    hang: (matches: (request: Asked) => boolean) => {
      isHanging = matches
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(folder, { recursive: true, force: true })
    },
  }
}
