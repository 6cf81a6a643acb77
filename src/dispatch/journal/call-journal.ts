/**
 * The journal of calls to the outside that one process keeps. After a kill the next process reads from it which leased rows were
 * not called yet, which calls were on the wire, and what answers came (docs/decisions/hand-over.md). Where it cannot be kept,
 * calls go out all the same, and a kill leaves every leased row unknown.
 */
import { join } from 'node:path'
import { makeFolder } from '../../core/make-folder.ts'
import { appendLine, createJournalFile, discard, empty, type JournalFile, leave } from './journal-file.ts'
import { answerLine, beginLine, type CallKey, leaseLine, notLeasedLine } from './journal-lines.ts'
import { type LivingName, takeName } from './living-name.ts'
import { currentBoot, isLocal } from './machine.ts'

/** A call in the journal: its file, its group of calls that were leased together, and its place in it. */
export type JournaledCall = { file: JournalFile; group: number; place: number }

export type CallJournal = {
  folder: string
  boot: string
  database: string
  /** This process by the name that it holds leases under. */
  self: LivingName
  /** The path of a file that belongs to this process and is not there yet. */
  nextPath(): string
  /** Ends of leases that other journals speak of, in real milliseconds: no lease of this one ends just then. */
  avoid(leases: number[]): void
  /**
   * Writes that these calls are about to be leased, until about `wanted`: a lease's end says which group it is of. Undefined for
   * calls that are not in the journal.
   */
  lease(calls: CallKey[], wanted: Date): { until: Date; calls: (JournaledCall | undefined)[] }
  /** Writes that the call was not leased after all, and settles it. */
  notLeased(call: JournaledCall | undefined): void
  /** Writes that the first byte is about to be written. Where it is false the call must not go out. */
  begin(call: JournaledCall | undefined): boolean
  answer(call: JournaledCall | undefined, answer: unknown): void
  /** The row says by now what became of the call. */
  settle(call: JournaledCall | undefined): void
  /** Leaves to the next process what is not settled. */
  close(): Promise<void>
}

export type JournalOptions = {
  folder: string
  holder: string
  /** What names the database that the rows are in, and no other. */
  database: string
  /** Milliseconds for measuring. */
  monotonicMs(): number
  onError(error: unknown): void
}

/** A file is followed by the next one after so many bytes, and emptied before it is so large where it can be. */
const MAX_FILE_BYTES = 1024 * 1024
const EMPTY_FROM_BYTES = 64 * 1024
const EMPTY_AFTER_MS = 1_000
/** More files than this wait for something that does not come: the oldest is given up. */
const MAX_FILES = 8
const MAX_ANSWER_BYTES = 16 * 1024
const TRY_AGAIN_AFTER_MS = 10_000

export const journalName = (holder: string, file: number): string => `${holder}-${file}.journal`

/** Opens a journal; undefined where none can be kept on this machine. Rejects where the folder cannot be used. */
export async function openCallJournal(options: JournalOptions): Promise<CallJournal | undefined> {
  const { folder, holder, database } = options
  const boot = currentBoot()
  if (boot === undefined) return undefined
  makeFolder(folder, 0o700)
  if (!isLocal(folder)) return undefined
  const self = await takeName(folder, holder)
  return { folder, boot, database, self, ...keepFiles(options, boot, self) }
}

type Kept = Omit<CallJournal, 'folder' | 'boot' | 'database' | 'self'>

function keepFiles(
  { folder, holder, database, monotonicMs, onError }: JournalOptions,
  boot: string,
  self: LivingName,
): Kept {
  let files: JournalFile[] = []
  let made = 0
  let groups = 0
  let failedAtMs = Number.NEGATIVE_INFINITY
  let isFailing = false
  const avoided = new Set<number>()
  let emptying: NodeJS.Timeout | undefined

  const failed = (error: unknown): void => {
    failedAtMs = monotonicMs()
    if (!isFailing) onError(error)
    isFailing = true
  }
  const nextPath = (): string => join(folder, journalName(holder, made++))

  /** The file that is written to; undefined while none can be. */
  const current = (): JournalFile | undefined => {
    files = files.filter(({ state }) => state === 'kept')
    const last = files.at(-1)
    if (last && last.bytes < MAX_FILE_BYTES) return last
    if (monotonicMs() - failedAtMs < TRY_AGAIN_AFTER_MS) return undefined
    try {
      const file = createJournalFile(nextPath(), { holder, boot, database })
      if (files.push(file) > MAX_FILES) discard(files.shift()!)
      isFailing = false
      return file
    } catch (error) {
      failed(error)
      return undefined
    }
  }

  const freeMs = (ms: number): number =>
    avoided.has(ms) || files.some(({ leases }) => leases.has(ms)) ? freeMs(ms + 1) : ms

  const emptyIdle = (): void => {
    emptying = undefined
    for (const file of files) if (file.open === 0) empty(file, failed)
  }

  /** Nothing of the file need be read any more. */
  const tidy = (file: JournalFile): void => {
    if (file !== files.at(-1)) discard(file)
    else if (file.bytes >= EMPTY_FROM_BYTES) empty(file, failed)
    else emptying ??= setTimeout(emptyIdle, EMPTY_AFTER_MS).unref()
  }

  const settle = (call: JournaledCall | undefined): void => {
    if (call && --call.file.open === 0) tidy(call.file)
  }

  return {
    nextPath,
    avoid: (leases) => {
      for (const ms of leases) avoided.add(ms)
    },
    lease: (calls, wanted) => {
      const file = current()
      const until = new Date(freeMs(wanted.getTime()))
      const group = groups++
      if (!file || !appendLine(file, leaseLine(group, until, calls), failed))
        return { until, calls: calls.map(() => undefined) }
      file.open += calls.length
      file.leases.add(until.getTime())
      return { until, calls: calls.map((_, place) => ({ file, group, place })) }
    },
    notLeased: (call) => {
      if (call) appendLine(call.file, notLeasedLine(call.group, call.place), failed)
      settle(call)
    },
    begin: (call) => {
      if (!call) return true
      // Where the file is void, nobody will take the call for one that had not begun.
      return appendLine(call.file, beginLine(call.group, call.place), failed) || call.file.state === 'void'
    },
    answer: (call, answer) => {
      if (!call) return
      const line = answerLine(call.group, call.place, answer)
      if (line.length <= MAX_ANSWER_BYTES) appendLine(call.file, line, failed)
    },
    settle,
    close: async () => {
      clearTimeout(emptying)
      for (const file of files) {
        if (file.open === 0) discard(file)
        else leave(file)
      }
      await self.release(files.every(({ state }) => state === 'void'))
    },
  }
}
