/**
 * The lines of a journal of calls: JSON, one line for each entry. A line counts only with its line break, so
 * a partly written entry does not count.
 */
import { z } from 'zod'

/** The row that a call is for. */
export type CallKey = { workspaceId: string; id: string }

/**
 * The owner of a journal. Entries are valid only for the boot (`boot`) and the file (`inode`) that they were
 * written to.
 */
export type JournalHeader = {
  /** The name under which the writing process holds its leases. */
  holder: string
  boot: string
  database: string
  inode: string
}

/** The entries of a journal about one call. `answer` is undefined until there is one. */
export type LeftCall = CallKey & { leasedUntil: Date; hasBegun: boolean; answer: unknown }

/** The maximum length of a header. */
export const MAX_HEADER_BYTES = 1024

const Header = z.strictObject({
  version: z.literal(1),
  holder: z.uuid(),
  boot: z.string(),
  database: z.string(),
  inode: z.string(),
})
const Place = z.tuple([z.int(), z.int()])
const Line = z.union([
  z.strictObject({ begin: Place }),
  z.strictObject({ notLeased: Place }),
  z.strictObject({ answered: Place, answer: z.unknown() }),
  z.strictObject({
    lease: z.int(),
    untilMs: z.int(),
    calls: z.array(z.tuple([z.uuid(), z.uuid()])),
  }),
])

export const headerLine = (header: JournalHeader): string => `${JSON.stringify({ version: 1, ...header })}\n`

/** Returns the line that announces the leases of these calls. */
export const leaseLine = (group: number, leasedUntil: Date, calls: CallKey[]): string =>
  `{"lease":${group},"untilMs":${leasedUntil.getTime()},"calls":[${calls.map(({ workspaceId, id }) => `["${workspaceId}","${id}"]`).join(',')}]}\n`

/**
 * Returns the line that records that another process has the call's row, or that the call must not go out.
 */
export const notLeasedLine = (group: number, place: number): string => `{"notLeased":[${group},${place}]}\n`

/** Returns the line that announces the first byte of a call. */
export const beginLine = (group: number, place: number): string => `{"begin":[${group},${place}]}\n`

/** Returns the line that records the answer to a call. */
export const answerLine = (group: number, place: number, answer: unknown): string =>
  `{"answered":[${group},${place}],"answer":${JSON.stringify(answer)}}\n`

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Reads the header from the first bytes of a journal; undefined if they are not a header. */
export function readHeader(text: string): JournalHeader | undefined {
  const end = text.indexOf('\n')
  const parsed = Header.safeParse(end < 0 ? undefined : parseJson(text.slice(0, end)))
  return parsed.success ? parsed.data : undefined
}

/**
 * Returns the calls of a whole journal. Undefined if a line is unknown: then no line of it can be trusted.
 */
export function readCalls(text: string): LeftCall[] | undefined {
  // The text after the last line break is a partly written entry.
  const lines = text.split('\n').slice(1, -1)
  const groups = new Map<number, LeftCall[]>()
  const dropped = new Set<LeftCall>()
  const callAt = ([group, place]: [number, number]) => groups.get(group)?.[place]
  for (const line of lines) {
    const parsed = Line.safeParse(parseJson(line))
    if (!parsed.success) return undefined
    const { data } = parsed
    if ('lease' in data) {
      const leasedUntil = new Date(data.untilMs)
      groups.set(
        data.lease,
        data.calls.map(([workspaceId, id]) => ({
          workspaceId,
          id,
          leasedUntil,
          hasBegun: false,
          answer: undefined,
        })),
      )
      continue
    }
    const call = callAt('begin' in data ? data.begin : 'answered' in data ? data.answered : data.notLeased)
    if (!call) return undefined
    if ('begin' in data) call.hasBegun = true
    else if ('answered' in data) call.answer = data.answer
    else dropped.add(call)
  }
  return [...groups.values()].flat().filter((call) => !dropped.has(call))
}
