/**
 * Every operation with every kind of id of another workspace, wherever an id may occur (spec 4.1.3;
 * docs/reliability.md "Security"): it is answered like an unknown id, and shows and changes none of the other
 * workspace's data.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '../../src/core/context.ts'
import type { Endpoint } from '../../src/core/endpoint.ts'
import { newId } from '../../src/core/ids.ts'
import { documentedPath } from '../../src/http/openapi/operation.ts'
import { type Answered, boot, type Client, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { thorough } from '../support/fault-run.ts'
import { everythingOf } from '../support/records.ts'
import { arrange, arranging } from './arrange.ts'
import { document } from './conform.ts'

const ARRANGING = await arranging()

import { KEYED, named, type Prepared, WITH_SUBJECT } from './requests.ts'

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

let parley: TestParley
let foreignShop: TestWorkspace
/** One of the other workspace's ids for each kind of record. */
const foreign = new Map<string, string>()
const theirIds = new Set<string>()
let before: Record<string, string>

beforeAll(async () => {
  // Without the worker, only requests change data.
  parley = await boot({ ...ARRANGING, env: { ...ARRANGING.env, PARLEY_ROLES: 'web' } })
  foreignShop = await parley.workspace({ sandbox: true })
  for (const value of WITH_SUBJECT) {
    if (foreign.has(value.subject as string)) continue
    const { path } = await arrange(value, foreignShop)
    const id = path.match(UUID)?.[0]
    if (id) foreign.set(value.subject as string, id)
  }
  foreign.set('phone number', foreignShop.phoneNumberId as string)
  foreign.set('member', foreignShop.ownerId)
  foreign.set('workspace', foreignShop.workspaceId)
  for (const value of KEYED.filter((endpoint) => endpoint.method === 'GET' && !endpoint.path.includes(':')))
    for (const [id] of (await foreignShop.get(value.path)).text.matchAll(UUID)) theirIds.add(id)
  for (const id of foreign.values()) theirIds.add(id)
  // Values in the description belong to no workspace.
  for (const [id] of JSON.stringify(document).matchAll(UUID)) theirIds.delete(id)
  before = await everythingOf(parley, foreignShop.workspaceId)
}, 60_000)
afterAll(() => parley.close())

type Scene = { shop: TestWorkspace; prepared: Prepared }
const sceneOf = async (value: Endpoint): Promise<Scene> => {
  const shop = await parley.workspace({ sandbox: true })
  return { shop, prepared: await arrange(value, shop) }
}

/** Returns the requests with `id` in place of each id in `prepared`: in the path, in the body, in the query. */
function requestsWith(value: Endpoint, prepared: Prepared, id: string): Prepared[] {
  const requests: Prepared[] = []
  const [path = ''] = prepared.path.split('?')
  if (value.path.includes(':'))
    requests.push({ ...prepared, path: path.replace(path.match(UUID)?.[0] ?? path.split('/').at(-1)!, id) })
  const body = prepared.body === undefined ? '' : JSON.stringify(prepared.body)
  for (const own of new Set(body.match(UUID)))
    requests.push({ path: prepared.path, body: JSON.parse(body.replaceAll(own, id)) })
  const { parameters } = document.paths[documentedPath(value.path)][value.method.toLowerCase()]
  for (const { in: place, name } of parameters)
    if (place === 'query' && /id$|^cursor$|^view$|moveTo/i.test(name))
      requests.push({ ...prepared, path: `${path}?${name}=${id}` })
  return requests
}

/** Returns an unknown id of the same form: lists accept only ids that contain their time as cursors. */
const unknownLike = (id: string): string => (id[14] === '7' ? newId() : randomUUID())

/**
 * Kinds of ids to try: the right kind and a quarter of the others, different for each operation; `npm run
 * faults` tries all.
 */
const kindsFor = (value: Endpoint): [string, string][] =>
  [...foreign].filter(
    ([kind], i) => thorough || kind === value.subject || (i + KEYED.indexOf(value)) % 4 === 0,
  )

const errorOf = ({ status, body }: Answered) => ({ status, error: body?.error })

test('there is one id of every kind', () => {
  expect(
    [...new Set(WITH_SUBJECT.map((value) => value.subject))].filter((kind) => !foreign.has(kind as string)),
  ).toEqual([])
  expect(foreign.size).toBeGreaterThan(12)
})

describe.each(named(KEYED))('%s', (_, value) => {
  test('answers each id of the other workspace like an unknown id, and shows none of its data', async () => {
    let scene = await sceneOf(value)
    const send = async (place: number, id: string): Promise<Answered | undefined> => {
      for (let attempt = 0; attempt < 2; attempt++) {
        const request = requestsWith(value, scene.prepared, id)[place]
        if (!request) return undefined
        const answer = await scene.shop.call(value.method, request.path, request.body)
        if (answer.status !== 429 && !/limit reached/.test(answer.body?.message)) return answer
        // Its bucket is empty, or it has reached a limit: the next workspace has room.
        scene = await sceneOf(value)
      }
      throw new Error('limited twice')
    }
    const places = requestsWith(value, scene.prepared, randomUUID()).length
    for (let place = 0; place < places; place++) {
      const missingOf = new Map([
        ['7', await send(place, newId())],
        ['', await send(place, randomUUID())],
      ])
      for (const [kind, id] of kindsFor(value)) {
        const missing = missingOf.get(id[14] === '7' ? '7' : '')
        const answer = await send(place, id)
        const detail = `${kind} in place ${place}: ${answer?.text.slice(0, 300)}`
        expect(answer && errorOf(answer), detail).toEqual(missing && errorOf(missing))
        const shown = [...(answer?.text.matchAll(UUID) ?? [])].map(([match]) => match)
        expect(
          shown.filter((shownId) => shownId !== id && theirIds.has(shownId)),
          detail,
        ).toEqual([])
      }
    }
  })
})

test.each<Role>(['viewer', 'agent', 'admin'])(
  'a key of role %s or with one scope does not find them either',
  async (role) => {
    const ownShop = await parley.workspace({ sandbox: true })
    const keys: Client[] = [
      await ownShop.as(role),
      await ownShop.as(role, { scopes: ['crm:read', 'webhooks:read'] }),
    ]
    for (const key of keys)
      for (const value of WITH_SUBJECT) {
        const id = foreign.get(value.subject as string) as string
        const requestOf = (part: string): Prepared => ({
          path: value.path.replace(/:\w+/g, part),
          ...(value.body ? { body: {} } : {}),
        })
        const { path, body } = requestOf(id)
        const answer = await key.call(value.method, path, body)
        const missing = requestOf(unknownLike(id))
        const absent = await key.call(value.method, missing.path, missing.body)
        if (answer.status === 429 || absent.status === 429) continue
        expect(errorOf(answer), `${value.method} ${value.path}`).toEqual(errorOf(absent))
        expect(answer.status).toBeGreaterThanOrEqual(400)
      }
  },
)

test("none of the requests changed the other workspace's data", async () => {
  expect(await everythingOf(parley, foreignShop.workspaceId)).toEqual(before)
})
