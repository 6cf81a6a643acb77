/**
 * What one process has in its hands of the hand-over: its lanes, the calls under way, and the writer
 * of outcomes. The functions of the lane-… files work on it.
 */
import type { Clock } from '../../../core/clock.ts'
import type { Context, Database, Workspace } from '../../../core/context.ts'
import type { CallJournal } from '../../../dispatch/journal/call-journal.ts'
import type { Operator, OperatorError, OperatorNumber } from '../../../operator/port.ts'
import type { Lane } from './lane.ts'
import type { OutcomeWriter } from './outcome-writer.ts'

/** A number with its credentials in the clear, and how it stands. */
export type SendingNumber = OperatorNumber & { state: string; throughput: number; tokenSealed: Buffer }

export type HandoverOptions = {
  database: Database
  clock: Clock
  operator: Pick<Operator, 'send'>
  workspaces(ids: string[]): Promise<Map<string, Workspace>>
  /** Undefined when the number is gone. */
  number(workspaceId: string, phoneNumberId: string): Promise<SendingNumber | undefined>
  /** A campaign's message was refused as each of them would be: it hands nothing more over. */
  pauseCampaign(ctx: Context, broadcastId: string, error: OperatorError): Promise<void>
  /** Whether this process answers requests just now, and whether that takes long: what is simulated gives way to them. */
  areAnswersFrequent(): boolean
  areAnswersSlow(): boolean
  /** Whether so many messages of simulated numbers wait that their receipts are to come later. */
  noteHandovers(wait: boolean): void
  /** Waits so many milliseconds, and holds no process up that is to end. */
  pause(ms: number): Promise<unknown>
  onError(error: unknown): void
  /** Where processes on this machine keep their journals of calls. */
  journalFolder: string
  /** Learns why this process keeps no journal: a kill leaves all that it has in hand unknown. */
  onNoJournal(error: unknown): void
}

/** A call under way; `slow` once it no longer counts among those that others wait for. */
export type Call = { lane: Lane; startedAtMs: number; slow: boolean }

export type Dispatcher = HandoverOptions & {
  /** Who this process is in the rows of lanes. */
  holder: string
  /** By the number's id. */
  lanes: Map<string, Lane>
  /** Lanes let go of that something is remembered of. */
  resting: Map<string, Lane>
  calls: Set<Call>
  slow: number
  /** Messages in this process's hands. */
  known: number
  writer: OutcomeWriter
  /** Undefined until it is open, and where none can be kept. */
  journal: CallJournal | undefined
  stopping: boolean
  /** Asks for what may begin to be begun. */
  pump(): void
}

/** A message is out of this process's hands. */
export function forget(dispatcher: Dispatcher, lane: Lane, id: string): void {
  if (lane.known.delete(id)) dispatcher.known--
}
