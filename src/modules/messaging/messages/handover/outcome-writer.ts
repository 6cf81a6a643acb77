/** Writes the outcomes of hand-overs in batches. */
import { type Clock, later, MINUTE_MS } from '../../../../core/clock.ts'
import { type Database, platformContext, type Unit, type Workspace } from '../../../../core/context.ts'
import { type BatchWriter, batchWriter } from '../../../../dispatch/batch-writer.ts'
import type { OperatorError } from '../../../../operator/port.ts'
import { type Respelled, recordSpellings } from '../../contacts/operations/spellings.ts'
import { applyReceipts } from '../intake/operations/apply-receipts.ts'
import { recordTemplateFaults } from '../intake/operations/failed-receipts.ts'
import type { ReceiptItem } from '../intake/operations/judge-receipts.ts'
import { recordStops } from '../intake/operations/recipients.ts'
import type { SkipReason } from '../schema.ts'
import { skipAtHandover } from '../sending/operations/skip-messages.ts'
import { asStep, type TraceStep } from './dispatcher.ts'
import {
  awaitReceipts,
  lockUnsettled,
  lockWaiting,
  putBack,
  putOff,
  releaseHandovers,
  settleAccepted,
} from './queries/handovers.ts'
import { UNCONFIRMED } from './verdict.ts'

/** The outcome to write for a message. Times are in real time. `step`: the line of its trace. */
export type Outcome =
  /** `respelled`: the recipient's number in our spelling and in the operator's, if they differ. */
  | { kind: 'accepted'; chanmid: string; respelled?: Respelled | undefined; step?: string | undefined }
  /** Its call has ended and will be tried again; `counted`: whether this was one of its attempts. */
  | { kind: 'again'; runAt: Date; counted: boolean; step?: string | undefined }
  /** Its call has not begun. */
  | { kind: 'put_off'; runAt: Date; step?: string | undefined }
  /** The same, but it is unknown whether the begin of the call was written with a lease until then. */
  | { kind: 'not_begun'; leasedUntil: Date }
  | { kind: 'failed'; error: OperatorError; step?: string | undefined }
  /** Its receipt is awaited. */
  | { kind: 'unknown'; step?: string | undefined }
  /** No receipt arrived in time. A receipt that arrived just before wins. */
  | { kind: 'unconfirmed' }
  /** Its call has not begun, and Parley decided not to send it. */
  | { kind: 'skipped'; reason: SkipReason }
  /** Its call has not begun, because the operator would refuse it. */
  | { kind: 'refused'; error: OperatorError }

export type Result = { workspaceId: string; id: string; outcome: Outcome }

export type OutcomeWriter = BatchWriter<Result>

export type OutcomeWriterOptions = {
  database: Database
  clock: Clock
  workspaces(ids: string[]): Promise<Map<string, Workspace>>
  /** Returns how many messages this process is working on. */
  underWay(): number
  /** Returns whether to give up, instead of retrying, when the database cannot be reached. */
  stopping(): boolean
  onError(error: unknown): void
  traceStep?: TraceStep | undefined
}

/** Under load, outcomes wait this long for others to join their batch. */
const GATHER_MS = 5
/** The time in which a receipt may still settle an unknown outcome (docs/formats.md section 4). */
const RECEIPT_WITHIN_MS = MINUTE_MS

/**
 * Sorts results in the order in which receipts lock messages (intake/queries/receipts.ts), so that two
 * writers cannot deadlock.
 */
const inOrderOfKeys = (a: Result, other: Result): number => {
  if (a.workspaceId !== other.workspaceId) return a.workspaceId < other.workspaceId ? -1 : 1
  return a.id < other.id ? -1 : 1
}

/** Writes one list, with one statement for each kind of outcome. */
export async function writeOutcomes(
  { database, clock, workspaces }: Pick<OutcomeWriterOptions, 'database' | 'clock' | 'workspaces'>,
  results: Result[],
): Promise<void> {
  const byKind = Map.groupBy(results.toSorted(inOrderOfKeys), ({ outcome }) => outcome.kind)
  const ofKind = <Kind extends Outcome['kind']>(kind: Kind) =>
    (byKind.get(kind) ?? []).map(({ workspaceId, id, outcome }) => ({
      workspaceId,
      id,
      ...(outcome as Extract<Outcome, { kind: Kind }>),
    }))
  const [accepted, retried, putOffs, notBegun, failed, unknown, unconfirmed, skipped, refused] = [
    ofKind('accepted'),
    ofKind('again'),
    ofKind('put_off'),
    ofKind('not_begun'),
    ofKind('failed'),
    ofKind('unknown'),
    ofKind('unconfirmed'),
    ofKind('skipped'),
    ofKind('refused'),
  ]
  if (accepted.length > 0) await settleAccepted(database.query, accepted)
  const respelled = accepted.flatMap(({ workspaceId, respelled: spelling }) =>
    spelling ? [{ workspaceId, ...spelling }] : [],
  )
  if (respelled.length > 0) await writeSpellings({ database, clock, workspaces }, respelled)
  if (retried.length > 0) await putBack(database.query, retried)
  if (putOffs.length > 0) await putOff(database.query, putOffs)
  if (notBegun.length > 0) await releaseHandovers(database.query, notBegun)
  if (unknown.length > 0) await awaitReceipts(database.query, unknown, later(clock.now(), RECEIPT_WITHIN_MS))
  if (failed.length > 0) await writeFailed({ database, clock, workspaces }, failed)
  if (unconfirmed.length > 0) await writeUnconfirmed({ database, clock, workspaces }, unconfirmed)
  if (skipped.length > 0) await writeSkipped({ database, clock, workspaces }, skipped)
  if (refused.length > 0) await writeRefused({ database, clock, workspaces }, refused)
}

async function writeSpellings(
  { database, clock, workspaces }: Pick<OutcomeWriterOptions, 'database' | 'clock' | 'workspaces'>,
  respelled: (Respelled & { workspaceId: string })[],
): Promise<void> {
  const workspacesById = await workspaces(respelled.map((result) => result.workspaceId))
  if (workspacesById.size === 0) return
  await database.tenant([...workspacesById.values()], (unit) =>
    recordSpellings(
      unit,
      respelled.flatMap(({ workspaceId, ...spelling }) => {
        const workspace = workspacesById.get(workspaceId)
        return workspace ? [{ ...spelling, ctx: platformContext(unit, workspace, clock) }] : []
      }),
    ),
  )
}

async function writeSkipped(
  { database, clock, workspaces }: Pick<OutcomeWriterOptions, 'database' | 'clock' | 'workspaces'>,
  skipped: { workspaceId: string; id: string; reason: SkipReason }[],
): Promise<void> {
  const workspacesById = await workspaces(skipped.map((result) => result.workspaceId))
  if (workspacesById.size === 0) return
  await database.tenant([...workspacesById.values()], async (unit) => {
    await skipAtHandover(
      skipped.flatMap(({ workspaceId, ...message }) => {
        const workspace = workspacesById.get(workspaceId)
        return workspace ? [{ ctx: platformContext(unit, workspace, clock), ...message }] : []
      }),
    )
  })
}

/** Reports a failure decided by Parley in the operator's way: as a receipt. */
async function writeFailed(
  { database, clock, workspaces }: Pick<OutcomeWriterOptions, 'database' | 'clock' | 'workspaces'>,
  failed: { workspaceId: string; id: string; error: OperatorError; step?: string | undefined }[],
): Promise<void> {
  const workspacesById = await workspaces(failed.map((result) => result.workspaceId))
  if (workspacesById.size === 0) return
  await database.tenant([...workspacesById.values()], async (unit) => {
    const receipts = failuresOf(unit, workspacesById, clock, failed)
    await recordStops(unit, receipts)
    const { failures } = await applyReceipts(unit, receipts)
    await recordTemplateFaults(unit, failures)
  })
}

/** Messages of which a report arrived meanwhile are left as they are. */
async function writeUnconfirmed(
  { database, clock, workspaces }: Pick<OutcomeWriterOptions, 'database' | 'clock' | 'workspaces'>,
  unconfirmed: { workspaceId: string; id: string }[],
): Promise<void> {
  const workspacesById = await workspaces(unconfirmed.map((result) => result.workspaceId))
  if (workspacesById.size === 0) return
  await database.tenant([...workspacesById.values()], async (unit) => {
    const lost = await lockUnsettled(unit.tx, unconfirmed, clock.now())
    const failed = lost.map((key) => ({ ...key, error: UNCONFIRMED }))
    await applyReceipts(unit, failuresOf(unit, workspacesById, clock, failed))
  })
}

/** Messages that were handed over meanwhile, because they were allowed again, are left as they are. */
async function writeRefused(
  { database, clock, workspaces }: Pick<OutcomeWriterOptions, 'database' | 'clock' | 'workspaces'>,
  refused: { workspaceId: string; id: string; error: OperatorError }[],
): Promise<void> {
  const workspacesById = await workspaces(refused.map((result) => result.workspaceId))
  if (workspacesById.size === 0) return
  await database.tenant([...workspacesById.values()], async (unit) => {
    const waiting = new Set((await lockWaiting(unit.tx, refused)).map(({ id }) => id))
    const failed = refused.filter(({ id }) => waiting.has(id))
    await applyReceipts(unit, failuresOf(unit, workspacesById, clock, failed))
  })
}

const failuresOf = (
  unit: Unit,
  workspacesById: Map<string, Workspace>,
  clock: Clock,
  failed: { workspaceId: string; id: string; error: OperatorError; step?: string | undefined }[],
): ReceiptItem[] =>
  failed.flatMap(({ workspaceId, id, error, step }) => {
    const workspace = workspacesById.get(workspaceId)
    if (!workspace) return []
    const ctx = platformContext(unit, workspace, clock)
    const about = { kind: 'receipt', chanmid: null, callbackData: id, pricing: null } as const
    return [{ ctx, receipt: { ...about, status: 'failed', at: ctx.now, errors: [error] }, step }]
  })

/** Writes outcomes as a step of the traces of their messages. */
export const recordOutcomes = (
  options: Pick<OutcomeWriterOptions, 'database' | 'clock' | 'workspaces' | 'traceStep'>,
  results: Result[],
): Promise<void> => asStep(options, 'record outcomes', results, () => writeOutcomes(options, results))

/** Opens the writer. An outcome that cannot be stored is given up: its lease expires. */
export const outcomeWriter = (options: OutcomeWriterOptions): OutcomeWriter =>
  batchWriter({ ...options, write: (results) => recordOutcomes(options, results), gatherMs: GATHER_MS })
