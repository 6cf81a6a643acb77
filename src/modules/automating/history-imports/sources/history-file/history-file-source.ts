/** The source `history_file`: messages in a CSV or JSONL file (DECISIONS.md "Files of messages"). */
import { listMembers } from '../../../../platform/workspaces/operations/workspace-members.ts'
import { type DayOrder, dayOrderIn } from '../../../imports/operations/cells/date-cell.ts'
import { HistoryFault, type OpenedImport, type SourceTools } from '../../history-source.ts'
import type { ChoicesOfFile, FileSource } from '../all-sources.ts'
import { requireFile, textSourceOf } from '../file-text.ts'
import { type ReadItem, readInBatches } from '../read-in-batches.ts'
import { messageOfValues } from './message-of-values.ts'
import { openValues } from './read-values.ts'

type Settings = {
  dateOrder: DayOrder | null
  timeZone: string
  before: string | null
  total: number
}

/** Returns the order of day and month that most dates show; null if none does, or if they contradict each other. */
function orderOf(votes: Record<DayOrder, number>): DayOrder | null {
  if (votes.dayFirst > 0 && votes.monthFirst > 0) return null
  return votes.dayFirst > 0 ? 'dayFirst' : votes.monthFirst > 0 ? 'monthFirst' : null
}

async function membersByEmail({ transaction }: SourceTools): Promise<Map<string, string>> {
  const members = await transaction((ctx) => listMembers(ctx.tx, ctx.workspace.id))
  return new Map(members.map(({ email, id }) => [email.toLowerCase(), id]))
}

export const historyFileSource: FileSource = {
  name: 'history_file',

  async prepare({ workspace }, file, { dateOrder, timeZone, before }: ChoicesOfFile) {
    const read = await openValues(textSourceOf(() => file.open()))
    const votes = { dayFirst: 0, monthFirst: 0 }
    let total = 0
    for await (const row of read()) {
      total++
      const order = 'values' in row ? dayOrderIn(row.values.createdAt ?? '') : undefined
      if (order === 'dayFirst' || order === 'monthFirst') votes[order]++
    }
    if (total === 0) throw new HistoryFault('The file has no messages below the line that names the columns.')
    const settings: Settings = {
      dateOrder: dateOrder ?? orderOf(votes),
      timeZone: timeZone ?? workspace.timezone,
      before: before ?? null,
      total,
    }
    return { settings, total, phone: null }
  },

  async open(tools: SourceTools, { settings, file }: OpenedImport<never>) {
    const { dateOrder, timeZone, before, total } = settings as Settings
    const read = await openValues(textSourceOf(() => requireFile(file).open()))
    const rules = {
      countryCode: tools.workspace.countryCode,
      timeZone,
      dateOrder,
      thisYear: tools.clock.now().getUTCFullYear(),
      members: await membersByEmail(tools),
      before: before === null ? undefined : new Date(before),
    }
    async function* items(): AsyncGenerator<ReadItem> {
      for await (const row of read()) {
        const place = `line ${row.line}`
        yield 'fault' in row
          ? { leftOut: { kind: 'message', place, cause: row.fault } }
          : messageOfValues(row.values, place, rules)
      }
    }
    return readInBatches(items, { total, hold: async (record) => record })
  },
}
