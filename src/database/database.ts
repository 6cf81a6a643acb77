/**
 * The two ways to use PostgreSQL. Tenant transactions run as parley_tenant, which row-level security
 * restricts to the named workspaces; system transactions run as the owner of the tables.
 */
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { Database, Installation, Workspace } from '../core/context.ts'
import { createSealer } from '../core/sealing.ts'
import { cellOf, DEFAULT_CELL } from '../core/values/cell.ts'
import { isWrongServerFault } from './faults.ts'
import { DATABASE_LIMITS, type DatabaseLimits, openPool, type Pooler } from './pool.ts'
import { type Naming, roundTripsOf } from './round-trip.ts'
import { statementName } from './rows.ts'
import { type Recording, tenantTransactions } from './tenant-transactions.ts'
import { inTransaction } from './transaction.ts'

export type DatabaseOptions = Recording & {
  url: string
  /** Connections of the tenant pool; the system pool gets half as many. */
  connections: number
  /** Maximum times for an idle transaction and for a statement. Default: DATABASE_LIMITS. */
  limits?: Partial<DatabaseLimits> | undefined
  /** Given if `url` leads to a pooler in transaction mode. */
  pooler?: Pooler | undefined
  /** Default: no address and no mail, and keys of this process alone, for programs that create no links or secrets. */
  installation?: Partial<Installation>
  onError(error: Error): void
}

export type OpenDatabase = Database & {
  close(): Promise<void>
  /** Runs a simple query, for readiness checks. */
  ping(): Promise<void>
}

const withoutInstallation = (): Installation => ({
  siteUrl: '',
  sealer: createSealer(randomBytes(32).toString('base64url')),
  erasureKey: randomBytes(32),
  sendsMail: false,
  ownersChangeModules: false,
  eventKinds: [],
})

/** Opens both pools; they connect on first use. */
export function openDatabase(options: DatabaseOptions): OpenDatabase {
  const limits = { ...DATABASE_LIMITS, ...options.limits }
  let closing = false
  const onError = (error: Error): void => {
    // Connections end a moment after their pool, so a database that stops next still reports faults to them.
    if (!closing) options.onError(error)
  }
  const open = (name: string, max: number, more: { definesTables?: true } = {}): pg.Pool =>
    openPool({ url: options.url, max, name, onError, limits, pooler: options.pooler, ...more })
  const tenantPool = open('tenant', options.connections)
  const systemPool = open('system', Math.max(4, Math.ceil(options.connections / 2)))
  // A cell may be on another server than the one that creates its tables. Connects on first use, for a minute.
  const tablePool =
    cellOf(options.url) === DEFAULT_CELL ? systemPool : open('tables', 1, { definesTables: true })
  const nameOf: Naming = options.pooler?.namedStatements === false ? () => undefined : statementName
  const readMs = Math.min(limits.readMs, limits.statementMs)
  const installation = { ...withoutInstallation(), ...options.installation }
  const tenantIds = tenantTransactions({ pool: tenantPool, nameOf, readMs, installation }, options)

  return {
    tenantIds,
    tenant: (workspaces: Workspace | Workspace[], work, reading) =>
      tenantIds(
        Array.isArray(workspaces) ? [...new Set(workspaces.map((w) => w.id))] : [workspaces.id],
        work,
        reading,
      ),
    system: (work) => inTransaction({ pool: systemPool, nameOf }, work),
    define: (work) => inTransaction({ pool: tablePool, nameOf }, work),
    query: async <Row>(text: string, parameters: unknown[] = []) => {
      const client = await systemPool.connect()
      let broken: Error | undefined
      try {
        return (await roundTripsOf(client, nameOf)(text, parameters)).rows as Row[]
      } catch (error) {
        if (isWrongServerFault(error)) broken = error
        throw error
      } finally {
        client.release(broken)
      }
    },
    ping: async () => {
      await systemPool.query('select 1')
    },
    close: async () => {
      closing = true
      await Promise.all([...new Set([tenantPool, systemPool, tablePool])].map((pool) => pool.end()))
    },
  }
}
