/** Wraps the database: transactions and statements become parts of the work that runs them. */
import type { Statement, Tx, Unit } from '../../core/context.ts'
import type { OpenDatabase } from '../../database/database.ts'
import type { Recording } from '../../database/tenant-transactions.ts'
import { statementNames } from './statement-name.ts'
import { asPart, type CurrentWork, type Part, type TracedWork } from './work.ts'

const POSTGRESQL = { 'db.system.name': 'postgresql' }

export function tracedDatabase(current: CurrentWork) {
  const nameOf = statementNames()
  const partOf = (text: string, parent: Part | undefined) => ({
    name: nameOf(text),
    kind: 'client' as const,
    attributes: POSTGRESQL,
    parent,
  })

  const tracedTx = (tx: Tx, work: TracedWork, parent: Part | undefined): Tx => {
    /** Compiles once: the name and the call use the same text. */
    const timed = <Row, Result>(
      statement: Statement<Row>,
      run: (compiled: Statement<Row>) => Promise<Result>,
    ): Promise<Result> => {
      const query = statement.compile()
      return asPart(work, partOf(query.sql, parent), () => run({ compile: () => query }))
    }
    return {
      all: (statement) => timed(statement, (compiled) => tx.all(compiled)),
      first: (statement) => timed(statement, (compiled) => tx.first(compiled)),
      run: (statement) => timed(statement, (compiled) => tx.run(compiled)),
      sql: (text, parameters) => asPart(work, partOf(text, parent), () => tx.sql(text, parameters)),
    }
  }

  /** Runs a transaction, with its parts if it belongs to any work. */
  const inPart = <Result>(run: (work?: TracedWork, part?: Part) => Promise<Result>): Promise<Result> => {
    const work = current.getStore()
    if (!work || work.hasEnded) return run()
    const transaction = {
      name: 'transaction',
      kind: 'internal',
      attributes: POSTGRESQL,
      parent: undefined,
    } as const
    return asPart(work, transaction, (part) => run(work, part))
  }

  /** Runs a tenant's transaction. `accepted`: called after the commit with the messages that it queued. */
  const inTenant = <Result>(
    work: (unit: Unit) => Promise<Result>,
    open: (work: (unit: Unit) => Promise<Result>) => Promise<Result>,
    accepted: (messageIds: string[]) => void,
  ): Promise<Result> =>
    inPart(async (traced, part) => {
      const messageIds: string[] = []
      const result = await open((unit) =>
        work({
          ...unit,
          ...(traced ? { tx: tracedTx(unit.tx, traced, part) } : {}),
          onQueued: (ids) => {
            for (const id of ids) messageIds.push(id)
          },
        }),
      )
      if (messageIds.length > 0) accepted(messageIds)
      return result
    })

  return {
    /** `accepted`: called with the messages that a committed transaction queued. */
    database: (database: OpenDatabase, accepted: (messageIds: string[]) => void): OpenDatabase => ({
      ...database,
      tenantIds: (ids, work) => inTenant(work, (traced) => database.tenantIds(ids, traced), accepted),
      tenant: (workspaces, work, reading) =>
        inTenant(work, (traced) => database.tenant(workspaces, traced, reading), accepted),
      system: (work) =>
        inPart((traced, part) => database.system((tx) => work(traced ? tracedTx(tx, traced, part) : tx))),
      query: (text, parameters) => {
        const work = current.getStore()
        if (!work || work.hasEnded) return database.query(text, parameters)
        return asPart(work, partOf(text, undefined), () => database.query(text, parameters))
      },
    }),
    /** Wraps the functions that run with every commit. */
    recording: <Recorders extends Pick<Recording, 'follow' | 'recordEvents' | 'recordCounts'>>(
      recorders: Recorders,
    ): Recorders => {
      const withTracedTx = (unit: Unit): Unit => {
        const work = current.getStore()
        if (!work || work.hasEnded) return unit
        const transaction = work.parts.findLast(({ name, parent }) => name === 'transaction' && !parent)
        return { ...unit, tx: tracedTx(unit.tx, work, transaction) }
      }
      const { follow, recordEvents, recordCounts } = recorders
      return {
        ...recorders,
        ...(follow ? { follow: (unit: Unit) => follow(withTracedTx(unit)) } : {}),
        recordEvents: (unit: Unit) => recordEvents(withTracedTx(unit)),
        ...(recordCounts ? { recordCounts: (unit: Unit) => recordCounts(withTracedTx(unit)) } : {}),
      }
    },
  }
}
