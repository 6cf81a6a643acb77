import { systemClock } from '../core/clock.ts'
import { DEFAULT_CELL, withCell } from '../core/values/cell.ts'
import { type Host, parseHost } from '../core/values/database-hosts.ts'
import { requireCell } from '../database/cells.ts'
import { queryOf, readHistory } from '../database/migrate.ts'
import { onDatabase } from '../database/on-database.ts'
import { onCells, parseName } from './cell-commands.ts'
import { command, type Flag, UsageError } from './command.ts'
import { required } from './flags.ts'

/** A node of Citus, as its list of nodes names it. */
const nodeFlag: Flag<Host> = {
  placeholder: 'HOST:PORT',
  parse(input) {
    const node = parseHost(input)
    if (!node) throw new UsageError(`Must be a host and a port, such as db2:5432, not "${input}".`)
    return node
  },
}

export const citusCommands = [
  command({
    name: 'cell distribute',
    summary:
      'Distribute a cell with Citus: its tables move to one node. Does nothing if they are there already.',
    operand: 'NAME',
    flags: {},
    run: async ({ operand }, context) => {
      const cell = parseDistributable(operand)
      return onCells(context, cell, async (url) => {
        const address = withCell(url, cell)
        await requireCell(address)
        await requireMigrated(address, cell)
        const { distributeCell, nameOf } = await import('../database/distribute-cell.ts')
        const startedMs = systemClock.monotonicMs()
        const { node, isNew } = await distributeCell({ url, cell, say: context.say })
        return { cell, node: nameOf(node), ...(isNew ? { seconds: secondsSince(startedMs) } : {}) }
      })
    },
  }),
  command({
    name: 'cell move',
    summary: 'Move a distributed cell to another node of Citus while it works.',
    operand: 'NAME',
    flags: { node: required(nodeFlag) },
    run: async ({ operand, node }, context) => {
      const cell = parseDistributable(operand)
      return onCells(context, cell, async (url) => {
        await requireCell(withCell(url, cell))
        const [{ moveCell }, { nameOf }] = await Promise.all([
          import('../database/move-cell.ts'),
          import('../database/distribute-cell.ts'),
        ])
        const startedMs = systemClock.monotonicMs()
        const left = await moveCell({ url, cell, node, say: context.say })
        return {
          cell,
          node: nameOf(node),
          ...(left ? { left: nameOf(left), seconds: secondsSince(startedMs) } : {}),
        }
      })
    },
  }),
]

/** The tables of an older version are not in a form that Citus takes. */
async function requireMigrated(address: string, cell: string): Promise<void> {
  const { pending } = await onDatabase(address, (client) => readHistory(queryOf(client)))
  if (pending.length > 0)
    throw new Error(`The cell ${cell} has pending migrations. Run: parley cell migrate ${cell}`)
}

const secondsSince = (startedMs: number): number =>
  Math.round((systemClock.monotonicMs() - startedMs) / 100) / 10

function parseDistributable(operand: string): string {
  const name = parseName(operand)
  if (name !== DEFAULT_CELL) return name
  throw new UsageError(
    `Citus does not distribute the schema ${DEFAULT_CELL}. Restore a backup of it into a cell with another name.`,
  )
}
