/**
 * The journal of outbound calls of one process. After a kill, the next process reads from it which calls had
 * not started, were in flight, or were answered (src/modules/messaging/messages/handover/DECISIONS.md).
 * Without a journal calls still go out, but a kill leaves all their outcomes unknown.
 */
import { join } from 'node:path'
import { makeFolder } from '../../core/make-folder.ts'
import { appendLine, createJournalFile, discard, empty, type JournalFile, leave } from './journal-file.ts'
import { answerLine, beginLine, type CallKey, leaseLine, notLeasedLine } from './journal-lines.ts'
import { currentBoot, isLocal } from './machine.ts'
import { claimName, type LivingName } from './process-name.ts'

/** A call in the journal: its file, the group of calls leased together, and its position in the group. */
export type JournaledCall = { file: JournalFile; group: number; place: number }

export type CallJournal = {
  folder: string
  boot: string
  database: string
  /** The name under which this process holds its leases. */
  self: LivingName
  /** Returns the path of a new file of this process. */
  nextPath(): string
  /** Excludes these lease ends (real milliseconds), which other journals already use. */
  avoid(leases: number[]): void
  /**
   * Records that these calls are about to be leased until about `leaseUntil`. Each group gets its own lease end,
   * which identifies it. A call is undefined if it is not in the journal.
   */
  lease(calls: CallKey[], leaseUntil: Date): { until: Date; calls: (JournaledCall | undefined)[] }
  /** Records that the call was not leased, and settles it. */
  notLeased(call: JournaledCall | undefined): void
  /** Records that the first byte is about to be written. If it returns false, the call must not go out. */
  begin(call: JournaledCall | undefined): boolean
  answer(call: JournaledCall | undefined, answer: unknown): void
  /** Marks the call as settled: its row now has the outcome. */
  settle(call: JournaledCall | undefined): void
  /** Closes the journal and leaves the unsettled calls to the next process. */
  close(): Promise<void>
}

export type JournalOptions = {
  folder: string
  holder: string
  /** Identifies the database that contains the rows. */
  database: string
  /** Returns monotonic milliseconds. */
  monotonicMs(): number
  onError(error: unknown): void
}

/**
 * From this size on the next file is used; earlier, at `EMPTY_FROM_BYTES`, a file without open calls is
 * emptied.
 */
const MAX_FILE_BYTES = 1024 * 1024
const EMPTY_FROM_BYTES = 64 * 1024
const EMPTY_AFTER_MS = 1_000
/** With more files than this, their calls will never settle: the oldest file is discarded. */
const MAX_FILES = 8
const MAX_ANSWER_BYTES = 16 * 1024
const TRY_AGAIN_AFTER_MS = 10_000

export const journalName = (holder: string, file: number): string => `${holder}-${file}.journal`

/** Opens a journal; undefined if this machine cannot keep one. Rejects if the folder cannot be used. */
export async function openCallJournal(options: JournalOptions): Promise<CallJournal | undefined> {
  const { folder, holder, database } = options
  const boot = currentBoot()
  if (boot === undefined) return undefined
  makeFolder(folder, 0o700)
  if (!isLocal(folder)) return undefined
  const self = await claimName(folder, holder)
  return { folder, boot, database, self, ...keepFiles(options, boot, self) }
}

type CurrentCall = Omit<CallJournal, 'folder' | 'boot' | 'database' | 'self'>

function keepFiles(
  { folder, holder, database, monotonicMs, onError }: JournalOptions,
  boot: string,
  self: LivingName,
): CurrentCall {
  let files: JournalFile[] = []
  let created = 0
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
  const nextPath = (): string => join(folder, journalName(holder, created++))

  /** Returns the file to write to; undefined while no file can be written. */
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

  /** Discards or empties a file that has no open calls. */
  const reuseOrDiscard = (file: JournalFile): void => {
    if (file !== files.at(-1)) discard(file)
    else if (file.bytes >= EMPTY_FROM_BYTES) empty(file, failed)
    else emptying ??= setTimeout(emptyIdle, EMPTY_AFTER_MS).unref()
  }

  const settle = (call: JournaledCall | undefined): void => {
    if (call && --call.file.open === 0) reuseOrDiscard(call.file)
  }

  return {
    nextPath,
    avoid: (leases) => {
      for (const ms of leases) avoided.add(ms)
    },
    lease: (calls, leaseUntil) => {
      const file = current()
      const until = new Date(freeMs(leaseUntil.getTime()))
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
      // If the file is void, no process will read the call as not started.
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
