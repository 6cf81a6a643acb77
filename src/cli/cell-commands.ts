import { directlyInCell } from '../config.ts'
import { CELL_NAME_RULE, cellOf, isCellName, withCell } from '../core/values/cell.ts'
import { readCellDirectory } from '../database/cell-directory.ts'
import { inNewCell, listCells, requireCell } from '../database/cells.ts'
import { migrate, queryOf, readHistory } from '../database/migrate.ts'
import { onDatabase } from '../database/on-database.ts'
import { type CommandContext, command, UsageError } from './command.ts'
import { runDoctor } from './doctor-command.ts'
import { switchFlag } from './flags.ts'
import { openForCommand } from './installation.ts'

export const cellCommands = [
  command({
    name: 'cell create',
    summary: 'Create a cell, a schema with its own tables, in the database, and migrate it to this version.',
    operand: 'NAME',
    flags: {},
    run: async ({ operand }, context) => {
      const name = parseName(operand)
      return onCells(context, name, async (url) => {
        const address = withCell(url, name)
        const migrated = await inNewCell(address, () => migrateCell(address, context.say))
        context.say(`Start a process with PARLEY_SCHEMA=${name} to use the cell.`)
        return { cell: name, migrated }
      })
    },
  }),
  command({
    name: 'cell list',
    summary: 'List the cells of the database, with their workspaces, pending migrations, and addresses.',
    flags: {},
    run: (_, context) =>
      onCells(context, undefined, async (url) => {
        const cells = await onDatabase(url, listCells)
        const addresses = await readAddresses(context.config().directoryUrl ?? url)
        const described = await inTurn(cells, async ({ name, megabytes }) => ({
          name,
          ...(await describeTables(withCell(url, name))),
          megabytes,
          address: addresses.get(name) ?? null,
          node: await readNode(withCell(url, name)),
        }))
        return { cells: described.some(({ node }) => node !== null) ? described : described.map(withoutNode) }
      }),
  }),
  command({
    name: 'cell migrate',
    summary: 'Migrate a cell to this version. --all migrates every cell of the database.',
    operand: 'NAME',
    insteadOfOperand: 'all',
    flags: { all: switchFlag },
    run: async ({ operand, all = false }, context) => {
      const name = all ? undefined : parseName(operand)
      return onCells(context, name, async (url) => {
        const names =
          name === undefined ? (await onDatabase(url, listCells)).map((cell) => cell.name) : [name]
        return {
          cells: await inTurn(names, async (cell) => ({
            name: cell,
            migrated: await migrateCell(withCell(url, cell), (line) => context.say(`${cell}: ${line}`)),
          })),
        }
      })
    },
  }),
  command({
    name: 'cell doctor',
    summary: 'Check the installation with the tables of a cell. The exit code is 1 if a check fails.',
    operand: 'NAME',
    flags: {},
    run: async ({ operand }, { config, say }) => {
      const name = parseName(operand)
      return runDoctor({ config: () => directlyInCell(config(), name), say })
    },
  }),
]

export function parseName(operand: string): string {
  if (isCellName(operand)) return operand
  throw new UsageError(`${CELL_NAME_RULE}, not "${operand}".`)
}

/** Runs `work` with the address of the database, from any of its cells; also with the cell of the settings, by default. */
export async function onCells<T>(
  { config, say }: CommandContext,
  cell: string | undefined,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const settings = config()
  const opened = await openForCommand(directlyInCell(settings, cell ?? settings.cell), say, {
    mayLackCell: true,
  })
  try {
    return await work(opened.url)
  } finally {
    await opened.close()
  }
}

/** One after the other, so that a command needs few connections. */
async function inTurn<Item, Result>(items: Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) results.push(await work(item))
  return results
}

/** Migrates a cell that exists, and returns the names of the migrations. */
async function migrateCell(address: string, say: (line: string) => void): Promise<string[]> {
  await requireCell(address)
  const { pending } = await onDatabase(address, (client) => readHistory(queryOf(client)))
  await migrate(address, say)
  return pending
}

const describeTables = (address: string): Promise<{ pending: number; workspaces: number }> =>
  onDatabase(address, async (client) => {
    const { pending } = await readHistory(queryOf(client))
    const { rows } = await client.query("select to_regclass('workspaces') is not null as exists")
    if (!rows[0].exists) return { pending: pending.length, workspaces: 0 }
    // Tables of an earlier version lack the column.
    const counted = await client.query<{ count: number }>(
      "select count(*)::int as count from workspaces w where to_jsonb(w) ->> 'moved_to' is null",
    )
    return { pending: pending.length, workspaces: counted.rows[0]!.count }
  })

/** Returns the web addresses of the cells that have one, by name. */
const readAddresses = (directoryUrl: string): Promise<Map<string, string>> =>
  onDatabase(directoryUrl, async (client) => {
    const directory = await readCellDirectory(queryOf(client))
    return new Map(directory?.cells.map(({ name, address }) => [name, address]))
  })

/** Returns the node of a cell; null if the cell is not distributed with Citus. */
async function readNode(address: string): Promise<string | null> {
  const { nodeOfCell } = await import('../database/distribute-cell.ts')
  return (await nodeOfCell(address, cellOf(address))) ?? null
}

const withoutNode = <Row extends { node: string | null }>({ node: _, ...row }: Row): Omit<Row, 'node'> => row
