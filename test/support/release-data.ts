/**
 * Lifelike data in a release: every request of its own contract suite, sent to its own service. Then all
 * reads, to compare them with those of a later version.
 */
import { expect } from 'vitest'
import type * as Api from '../../src/modules/platform/workspaces/operations/api-keys.ts'
import type * as Workspaces from '../../src/modules/platform/workspaces/operations/workspaces.ts'
import type * as Gateways from '../../src/modules/selling/payments/operations/gateway-connection.ts'
import type * as Arrange from '../contract/arrange.ts'
import type * as Requests from '../contract/requests.ts'
import { type Body, type BootOptions, createWorkspaces, SECRET_KEY, type TestWorkspace } from './boot.ts'
import type * as Loads from './load.ts'
import { loadModule } from './release-tree.ts'
import { whenAllowed } from './when-allowed.ts'

const OPERATIONS = 'src/modules/platform/workspaces/operations'

/** The parts of a release that tests use in this process: its own requests, and its changes without an endpoint. */
export async function loadRelease(folder: string) {
  const load = <Module>(path: string) => loadModule<Module>(folder, path)
  const { arrange, arranging } = await load<typeof Arrange>('test/contract/arrange.ts')
  const { KEYED, nameOf } = await load<typeof Requests>('test/contract/requests.ts')
  const { openAdmin, openShops } = await load<typeof Loads>('test/support/load.ts')
  const { createSealer } = await load<typeof import('../../src/core/sealing.ts')>('src/core/sealing.ts')
  const { createApiKey } = await load<typeof Api>(`${OPERATIONS}/api-keys.ts`)
  const { createWorkspace, setWorkspace } = await load<typeof Workspaces>(`${OPERATIONS}/workspaces.ts`)
  const { setGateway } = await load<typeof Gateways>(
    'src/modules/selling/payments/operations/gateway-connection.ts',
  )
  const sealer = createSealer(SECRET_KEY)
  return {
    arrange,
    arranging,
    endpoints: KEYED,
    nameOf,
    openAdmin,
    openShops,
    operations: { createWorkspace, createApiKey, setWorkspace, setGateway, sealer },
  }
}
export type Release = Awaited<ReturnType<typeof loadRelease>>

type Admin = ReturnType<Release['openAdmin']>

/** Returns a function that creates workspaces of the release at `url`. */
export const workspacesOf = (
  release: Release,
  options: { url: string; admin: Admin; equip?: BootOptions['equip'] },
) =>
  createWorkspaces({
    url: () => options.url,
    system: options.admin.system,
    ...(options.equip ? { equip: options.equip } : {}),
    operations: release.operations,
  })

export type Filled = { shop: TestWorkspace; noun: string; paths: string[] }

const nounOf = (path: string): string => path.split(/[/?]/)[1]!
/** Lists that most requests add to. */
const SHARED_LISTS = ['/contacts?limit=100', '/conversations', '/messages?limit=100', '/leads', '/activity']
const CONCURRENT_SHOPS = 4

/** Sends every request of the release's contract suite: one sandbox for each noun. */
export async function fillRelease(
  release: Pick<Release, 'arrange' | 'endpoints' | 'nameOf'>,
  create: (noun: string) => Promise<TestWorkspace>,
): Promise<{ filled: Filled[]; accepted: number; rejected: string[] }> {
  const nouns = [...Map.groupBy(release.endpoints, ({ path }) => nounOf(path))]
  const filled: Filled[] = []
  const rejected: string[] = []
  let accepted = 0
  const fillShop = async (noun: string, endpoints: Release['endpoints']) => {
    const shop = await create(noun)
    const paths = new Set(SHARED_LISTS)
    for (const value of endpoints) {
      const { path, body } = await release.arrange(value, shop)
      const answer = await whenAllowed(() => shop.call(value.method, path, body))
      if (answer.status >= 400) rejected.push(`${release.nameOf(value)}: ${answer.status} ${answer.text}`)
      else accepted++
      if (value.method === 'GET' && answer.status === 200) paths.add(path)
    }
    // Everything that is due happens now, so that the reads don't change by themselves.
    await shop.advance(60)
    filled.push({ shop, noun, paths: [...paths] })
  }
  const callers = Array.from({ length: CONCURRENT_SHOPS }, async () => {
    for (let next = nouns.shift(); next; next = nouns.shift()) await fillShop(...next)
  })
  await Promise.all(callers)
  return { filled, accepted, rejected }
}

/** The bodies of all reads, by noun and path. */
export type Reads = Map<string, Body>

/** Reads every path of every workspace through the service at `url`. */
export async function readAll(
  filled: Filled[],
  clientAt: (shop: TestWorkspace) => Pick<TestWorkspace, 'get'>,
) {
  const reads: Reads = new Map()
  const readShop = async ({ shop, noun, paths }: Filled) => {
    const client = clientAt(shop)
    for (const path of paths) {
      const answer = await whenAllowed(() => client.get(path))
      expect(answer.status, `${noun} ${path}: ${answer.text}`).toBe(200)
      reads.set(`${noun} ${path}`, answer.body)
    }
  }
  const waiting = [...filled]
  const readers = Array.from({ length: CONCURRENT_SHOPS }, async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await readShop(next)
  })
  await Promise.all(readers)
  return reads
}

/**
 * Values that a release itself changes between two reads, and texts that a version may word differently: only their type is
 * compared.
 */
const MOVING = [
  /^templates \/templates.*\.results\./,
  /^messages \/messages\/[^/]+\/media\.(url|expiresAt)$/,
  /^segments \/segments\/[^/]+\.segment\.matchedAt$/,
  /^sandbox \/sandbox\/clock\.now$/,
  /^auto-replies \/auto-replies\/counts\.since$/,
  /^(automations|bots) \/\1\/[^/]+\/results\.results\.from$/,
  /^flows \/flows\.syncedAt$/,
  /^webhooks \/webhooks\/events\..*\.description$/,
  /^social \/social\/insights\?days=28\.(periods\[\d+\]\.)?(since|until)$/,
]
/** Lists of the service's own abilities, to which a version adds. */
const GROWING = [/^webhooks \/webhooks\/events\./, /^integrations \/integrations\.integrations$/]
/** Texts of the service's own description, which every version may word differently. */
const DESCRIPTION = /^openapi.json /

const change = (before: unknown, after: unknown, place: string): string =>
  `${place}: ${JSON.stringify(before)} became ${JSON.stringify(after)}`

function listDifferences(before: unknown[], after: unknown[], place: string): string[] {
  if (GROWING.some((pattern) => pattern.test(place)))
    return before
      .filter((item) => !after.some((other) => differencesOf(item, other, place).length === 0))
      .map((item) => change(item, undefined, place))
  const count =
    before.length === after.length ? [] : [`${place}: ${before.length} rows became ${after.length}`]
  return [...count, ...before.flatMap((item, i) => differencesOf(item, after[i], `${place}[${i}]`))]
}

/**
 * Returns the places in which `after` lost or changed a value of `before`. New fields of objects are allowed,
 * new rows of lists are not.
 */
export function differencesOf(before: unknown, after: unknown, place: string): string[] {
  if (Array.isArray(before) && Array.isArray(after)) return listDifferences(before, after, place)
  const isObject = typeof before === 'object' && before !== null && !Array.isArray(before)
  if (!isObject) {
    const isMoving = typeof before === typeof after && MOVING.some((pattern) => pattern.test(place))
    return before === after || isMoving ? [] : [change(before, after, place)]
  }
  if (typeof after !== 'object' || after === null) return [change(before, after, place)]
  return Object.entries(before).flatMap(([name, value]) =>
    differencesOf(value, (after as Record<string, unknown>)[name], `${place}.${name}`),
  )
}

/** Compares all reads of a release with those of a later version. */
export const compareReads = (before: Reads, after: Reads): string[] =>
  [...before].flatMap(([place, body]) =>
    DESCRIPTION.test(place)
      ? missingOperations(body, after.get(place))
      : differencesOf(body, after.get(place), place),
  )

/** Returns the operations of a description that another description lacks. */
function missingOperations(before: Body, after: Body): string[] {
  const operationsOf = (document: Body) =>
    Object.entries<object>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    )
  const remaining = new Set(operationsOf(after))
  return operationsOf(before).filter((operation) => !remaining.has(operation))
}
