/** The actions of the n8n node: each makes a request that a real Parley accepts. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Parley } from '../../n8n/src/nodes/Parley/Parley.node.ts'
import { ENDPOINTS } from '../../src/catalog.ts'
import { isAction, type N8nAction, n8nActions } from '../../src/tools/n8n/actions.ts'
import { arrange, arranging, equippedSandbox } from '../contract/arrange.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { parametersOf } from '../support/n8n/parameters.ts'
import { runNode } from '../support/n8n/run-node.ts'
import { freePort } from '../support/redis-server.ts'

const ARRANGING = await arranging()
const ACTIONS = n8nActions(ENDPOINTS)
const { properties } = new Parley().description
const rows = ACTIONS.map((action): [string, N8nAction] => [`${action.resource} ${action.operation}`, action])

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  // Links to files name the address of the site.
  const port = String(await freePort())
  parley = await boot({
    ...ARRANGING,
    env: { ...ARRANGING.env, PORT: port, PARLEY_SITE_URL: `http://localhost:${port}` },
  })
  shop = await equippedSandbox(parley)
})
afterAll(() => parley?.close())

const PDF = { bytes: Buffer.from('%PDF-1.4\n'), mimeType: 'application/pdf', fileName: 'menu.pdf' }

/** Values of the rows that the node fills by itself. */
const FILLED = ['limit', 'cursor', 'page', 'pageSize', 'fileBase64', 'mimeType']

describe('inventory', () => {
  test('each endpoint with a tool or an action is an operation, and no other', () => {
    const endpoints = ENDPOINTS.filter(isAction)
    expect(new Set(ACTIONS.map(({ endpoint }) => endpoint.name))).toEqual(
      new Set(endpoints.map(({ name }) => name)),
    )
    expect(endpoints.filter(({ auth }) => auth !== undefined)).toEqual([])
  })

  test('the generated node offers exactly these operations', () => {
    const offered = properties
      .filter(({ name }) => name === 'operation')
      .flatMap(({ displayOptions, options }) =>
        (options as { value: string }[]).map(({ value }) => `${displayOptions!.show!.resource![0]} ${value}`),
      )
    expect(offered.sort()).toEqual(rows.map(([name]) => name).sort())
    expect(offered.length).toBe(new Set(offered).size)
  })

  test('no operation erases data or changes settings, keys, or members', () => {
    expect(ACTIONS.filter(({ endpoint: { method } }) => method === 'DELETE' || method === 'PUT')).toEqual([])
  })
})

test.each(rows)(
  '%s makes a request that Parley accepts',
  async (_name, { resource, operation, endpoint }) => {
    const prepared = await arrange(endpoint, shop)
    const { parameters, left } = parametersOf(properties, { resource, operation }, endpoint, prepared)
    expect(left.filter((name) => !FILLED.includes(name))).toEqual([])
    const result = await runNode(
      { baseUrl: `${parley.url}/`, apiKey: shop.key },
      { parameters, executionId: randomUUID(), binary: { data: PDF } },
    )
    for (const status of result.statuses) expect([200, 201, 202]).toContain(status)
    const options = result.requests[0]!
    expect(options.headers ?? {}).toMatchObject(
      endpoint.method === 'GET' || endpoint.tool?.effect === 'reads'
        ? { Accept: 'application/json' }
        : { 'Idempotency-Key': expect.stringMatching(/^n8n-[0-9a-f]{64}$/) },
    )
    if (endpoint.kind !== 'upload' && prepared.body !== undefined) expect(options.body).toEqual(prepared.body)
  },
)
