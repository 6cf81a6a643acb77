/**
 * The lines of a journal of calls, as text: JSON, one line for each entry. A line counts once its line break is there, so an
 * entry whose writing was broken off was never written.
 */
import { z } from 'zod'

/** The row that a call is about. */
export type CallKey = { workspaceId: string; id: string }

/** Whose journal it is. Entries are true only on the machine start (`boot`) and for the file (`inode`) that they were written to. */
export type JournalHeader = {
  /** The process that wrote it, by the name that it holds leases under. */
  holder: string
  boot: string
  database: string
  inode: string
}

/** What a journal says of one call. `answer` is undefined until there is one. */
export type LeftCall = CallKey & { leasedUntil: Date; hasBegun: boolean; answer: unknown }

/** A header is no longer than this. */
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

/** Says that the leases of these calls are about to be written. */
export const leaseLine = (group: number, leasedUntil: Date, calls: CallKey[]): string =>
  `{"lease":${group},"untilMs":${leasedUntil.getTime()},"calls":[${calls.map(({ workspaceId, id }) => `["${workspaceId}","${id}"]`).join(',')}]}\n`

/** Says that another process has the call's row, or that it is not to go out. */
export const notLeasedLine = (group: number, place: number): string => `{"notLeased":[${group},${place}]}\n`

/** Says that the first byte of a call is about to be written. */
export const beginLine = (group: number, place: number): string => `{"begin":[${group},${place}]}\n`

/** Says what the call came to. */
export const answerLine = (group: number, place: number, answer: unknown): string =>
  `{"answered":[${group},${place}],"answer":${JSON.stringify(answer)}}\n`

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** The header of a journal, from its first bytes; undefined where they are none. */
export function readHeader(text: string): JournalHeader | undefined {
  const end = text.indexOf('\n')
  const parsed = Header.safeParse(end < 0 ? undefined : parseJson(text.slice(0, end)))
  return parsed.success ? parsed.data : undefined
}

/** The calls of a whole journal. Undefined where a line is not one of ours: then nothing that it says is relied on. */
export function readCalls(text: string): LeftCall[] | undefined {
  // After the last line break is what was broken off.
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
