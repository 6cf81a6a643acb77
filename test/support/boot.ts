/**
 * The whole service on its own database, driven through its API.
 *
 *   const parley = await boot()
 *   const shop = await parley.workspace({ sandbox: true })
 *   const { status, body } = await shop.post('/contacts', { phone: '+919812345678' })
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import { type Config, readConfig } from '../../src/config.ts'
import type { Clock } from '../../src/core/clock.ts'
import type { Role, Tx } from '../../src/core/context.ts'
import type { Scope } from '../../src/core/scopes.ts'
import { createSealer, type Sealer } from '../../src/core/sealing.ts'
import { cellOf } from '../../src/core/values/cell.ts'
import { openDatabase } from '../../src/database/database.ts'
import { openLog } from '../../src/logging/log.ts'
import { createApiKey } from '../../src/modules/platform/workspaces/operations/api-keys.ts'
import {
  type CreatedWorkspace,
  createWorkspace,
  type NewWorkspace,
  setWorkspace,
  type WorkspacePatch,
} from '../../src/modules/platform/workspaces/operations/workspaces.ts'
import {
  type NewGateway,
  setGateway,
} from '../../src/modules/selling/payments/operations/gateway-connection.ts'
import { startParley } from '../../src/startup/start.ts'
import type { StartOptions } from '../../src/startup/start-options.ts'
import { createTestDatabase } from './database.ts'
import type { MovingClock } from './moving-clock.ts'

// biome-ignore lint/suspicious/noExplicitAny: bodies of the API as a client sees them
export type Body = any
export type Answered = { status: number; body: Body; headers: Record<string, string>; text: string }
export type CallOptions = { headers?: Record<string, string>; key?: string; idempotencyKey?: string }

export type Client = {
  key: string
  get(path: string, options?: CallOptions): Promise<Answered>
  post(path: string, body?: unknown, options?: CallOptions): Promise<Answered>
  patch(path: string, body?: unknown, options?: CallOptions): Promise<Answered>
  delete(path: string, options?: CallOptions): Promise<Answered>
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answered>
}

/** The keys of a real gateway; without them the simulated gateway is connected. */
type GivenGateway =
  | Omit<Extract<NewGateway, { provider: 'simulator' }>, 'workspaceId' | 'provider'>
  | Omit<Extract<NewGateway, { provider: 'razorpay' }>, 'workspaceId'>

export type TestWorkspace = Client &
  CreatedWorkspace & {
    /** Creates a client with a new key. */
    as(
      role: Role,
      options?: { scopes?: Scope[]; expiresAt?: Date; allowIps?: string[]; memberId?: string },
    ): Promise<Client & { keyId: string }>
    set(patch: WorkspacePatch): Promise<unknown>
    /** Connects a payment gateway: the simulated one by default. */
    connectGateway(input?: GivenGateway): Promise<void>
    /** Moves the sandbox's clock and waits until all work that is due by then is done. */
    advance(seconds: number): Promise<Date>
    /** Sends a customer's message to the sandbox number; resolves once the message has arrived. */
    inbound(from: string, text: string, more?: Record<string, unknown>): Promise<Answered>
  }

export const SECRET_KEY = 'a secret key that only the tests use'

async function send(
  base: string,
  method: string,
  path: string,
  body: unknown,
  options: CallOptions & { key?: string },
): Promise<Answered> {
  const isOfApi = path.startsWith('/') && !path.startsWith('/api/') && !path.startsWith('//')
  const url = path.startsWith(base) ? path : isOfApi ? `${base}/api/v1${path}` : `${base}${path}`
  const bytes =
    body === undefined
      ? undefined
      : typeof body === 'string' || Buffer.isBuffer(body)
        ? body
        : JSON.stringify(body)
  const answer = await request(url, {
    method: method as 'GET',
    headers: {
      'user-agent': 'parley-tests',
      ...(options.key ? { authorization: `Bearer ${options.key}` } : {}),
      ...(bytes === undefined ? {} : { 'content-type': 'application/json' }),
      ...(options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey }),
      ...options.headers,
    },
    ...(bytes === undefined ? {} : { body: bytes }),
  })
  const text = await answer.body.text()
  const isJson = String(answer.headers['content-type'] ?? '').includes('json')
  return {
    status: answer.statusCode,
    body: isJson && text ? JSON.parse(text) : text,
    headers: answer.headers as Record<string, string>,
    text,
  }
}

/** Returns a client of the API at `base` that sends `key`. */
export function clientOf(base: string, key: string): Client {
  const call = (method: string, path: string, body?: unknown, options: CallOptions = {}) =>
    send(base, method, path, body, { key, ...options })
  return {
    key,
    call,
    get: (path, options) => call('GET', path, undefined, options),
    post: (path, body, options) => call('POST', path, body, options),
    patch: (path, body, options) => call('PATCH', path, body, options),
    delete: (path, options) => call('DELETE', path, undefined, options),
  }
}

export type BootOptions = {
  env?: Record<string, string>
  databaseUrl?: string
  /** Defaults to SECRET_KEY. */
  secretKey?: string
  /** Defaults to the system clock. */
  clock?: Clock
  connections?: StartOptions['connections']
  /** Settings that every new workspace gets. */
  equip?: (tx: Tx, workspaceId: string) => Promise<void>
  databaseLimits?: StartOptions['databaseLimits']
  nameServers?: StartOptions['nameServers']
  /** The folder with the builds of the dashboard. Defaults to the project's own. */
  pages?: string
  /** The folder with the builds of the documentation site. Defaults to the project's own. */
  docsFolder?: string
  clockLimits?: StartOptions['clockLimits']
  /** By default no workspace has an assistant. */
  findAssistant?: StartOptions['findAssistant']
  assistantTimeoutMs?: StartOptions['assistantTimeoutMs']
  /** Defaults to the process's own, with the level in `env`. */
  log?: StartOptions['log']
}

export type TestParley = {
  url: string
  databaseUrl: string
  config: Config
  anonymous: Client
  /**
   * Creates a workspace with an owner's admin key. It has no limits, unless it is a sandbox or the input sets
   * them.
   */
  workspace(input?: Partial<NewWorkspace>): Promise<TestWorkspace>
  /**
   * Runs `work` as the platform itself, for changes without an endpoint. When it returns, the server uses the
   * changed data.
   */
  system<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Does the same for a change of tables. */
  define<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Resolves once the server uses everything that any process has changed so far. */
  caughtUp(): Promise<void>
  /**
   * Makes background work check for due rows now instead of at its next poll. Nothing else wakes it for rows
   * that a test wrote.
   */
  wake(): void
  /** Stops the service in this process and starts it again on the same database. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** The service's own changes without an endpoint: this version's, or those of a release. */
export type PlatformOperations = {
  createWorkspace: typeof createWorkspace
  createApiKey: typeof createApiKey
  setWorkspace: typeof setWorkspace
  setGateway: typeof setGateway
  sealer: Sealer
}

/** Returns a function that creates a workspace for the service at `url` and a client with its admin key. */
export function createWorkspaces(options: {
  url: () => string
  system: TestParley['system']
  equip?: BootOptions['equip']
  operations: PlatformOperations
}): TestParley['workspace'] {
  const { url, system, equip, operations } = options
  const { sealer } = operations
  return async (input = {}) => {
    const workspace = await system(async (tx) => {
      const created = await operations.createWorkspace(
        tx,
        { name: 'Test shop', ...input },
        new Date(),
        sealer,
      )
      await equip?.(tx, created.workspaceId)
      return created
    })
    const keyOf = (role: Role, more: object = {}) =>
      system((tx) =>
        operations.createApiKey(tx, { workspaceId: workspace.workspaceId, role, ...more }, new Date()),
      )
    const client = clientOf(url(), (await keyOf('admin', { memberId: workspace.ownerId })).apiKey)
    return {
      ...workspace,
      ...client,
      as: async (role, more) => {
        const key = await keyOf(role, more)
        return { ...clientOf(url(), key.apiKey), keyId: key.keyId }
      },
      set: (patch) => system((tx) => operations.setWorkspace(tx, workspace.workspaceId, patch)),
      connectGateway: (input = {}) =>
        system((tx) =>
          operations.setGateway(
            tx,
            'keyId' in input
              ? { ...input, workspaceId: workspace.workspaceId }
              : { ...input, workspaceId: workspace.workspaceId, provider: 'simulator' },
            new Date(),
            sealer,
          ),
        ),
      advance: async (seconds) => {
        for (let left = seconds; ; ) {
          const answer = await client.post('/sandbox/clock', { advanceSeconds: left })
          if (answer.status !== 200) throw new Error(`the clock answered ${answer.status}: ${answer.text}`)
          if (answer.body.complete) return new Date(answer.body.now)
          left = answer.body.remainingSeconds
        }
      },
      inbound: async (from, text, more = {}) => {
        const answer = await client.post(
          '/sandbox/inbound',
          { from, text, ...more },
          { idempotencyKey: randomUUID() },
        )
        if (answer.status !== 202)
          throw new Error(`the inbound message was answered ${answer.status}: ${answer.text}`)
        await client.post('/sandbox/clock', { advanceSeconds: 1 })
        return answer
      },
    }
  }
}

/** Starts the service. Every test file starts its own. */
export async function boot(options: BootOptions = {}): Promise<TestParley> {
  const database = options.databaseUrl ? undefined : await createTestDatabase()
  const databaseUrl = options.databaseUrl ?? (database?.url as string)
  const { secretKey = SECRET_KEY } = options
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-boot-'))
  const config: Config = {
    ...readConfig(
      {
        LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'fatal',
        PARLEY_DATA_DIR: dataDir,
        PARLEY_SCHEMA: cellOf(options.env?.PARLEY_LISTEN_DATABASE_URL ?? databaseUrl),
        ...options.env,
      },
      process.cwd(),
    ),
    ...(options.env?.PORT ? {} : { port: 0 }),
  }
  const start = () =>
    startParley({
      config,
      databaseUrl,
      secretKey,
      log: options.log ?? openLog(config.logLevel),
      checkReplies: true,
      ...(options.clock ? { clock: options.clock } : {}),
      connections: options.connections,
      databaseLimits: options.databaseLimits,
      ...(options.nameServers ? { nameServers: options.nameServers } : {}),
      ...(options.pages ? { pages: options.pages } : {}),
      ...(options.docsFolder ? { docsFolder: options.docsFolder } : {}),
      ...(options.clockLimits ? { clockLimits: options.clockLimits } : {}),
      findAssistant: options.findAssistant,
      assistantTimeoutMs: options.assistantTimeoutMs,
    })
  let parley = await start()
  const { clock } = options
  // Work that a clock move made due runs immediately, as if the time had passed.
  if (clock && 'onMove' in clock) (clock as MovingClock).onMove(() => parley.wake())
  const admin = openDatabase({
    url: config.pooler?.listenUrl ?? databaseUrl,
    connections: 2,
    onError: () => {},
    recordEvents: async () => {},
    onCommit: () => {},
  })
  const sealer = createSealer(secretKey)
  const url = () => parley.url as string
  const system = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const result = await admin.system(work)
    await parley.caughtUp()
    return result
  }

  const workspace = createWorkspaces({
    url,
    system,
    ...(options.equip ? { equip: options.equip } : {}),
    operations: { createWorkspace, createApiKey, setWorkspace, setGateway, sealer },
  })

  return {
    get url() {
      return url()
    },
    databaseUrl,
    config,
    get anonymous() {
      return clientOf(url(), '')
    },
    workspace,
    system,
    define: (work) => admin.define(work),
    caughtUp: () => parley.caughtUp(),
    wake: () => parley.wake(),
    restart: async () => {
      const port = new URL(url()).port
      await parley.close()
      config.port = Number(port)
      parley = await start()
    },
    close: async () => {
      await parley.close()
      await admin.close()
      await database?.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
