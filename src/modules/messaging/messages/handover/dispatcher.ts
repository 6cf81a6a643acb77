/**
 * The state of the hand-over in one process: its lanes, the calls under way, and the writer of outcomes. The
 * functions in the lane-… files work on it.
 */
import type { Clock } from '../../../../core/clock.ts'
import type { Context, Database, Workspace } from '../../../../core/context.ts'
import type { CallJournal } from '../../../../dispatch/journal/call-journal.ts'
import type { Operator, OperatorError, OperatorNumber } from '../../../../operator/port.ts'
import type { Lane } from './lane.ts'
import type { OutcomeWriter } from './outcome-writer.ts'

/** A number with its decrypted credentials and its current state. */
export type SendingNumber = OperatorNumber & { state: string; throughput: number; tokenSealed: Buffer }

export type HandoverOptions = {
  database: Database
  clock: Clock
  operator: Pick<Operator, 'send'>
  workspaces(ids: string[]): Promise<Map<string, Workspace>>
  /** Returns undefined when the number was removed. */
  number(workspaceId: string, phoneNumberId: string): Promise<SendingNumber | undefined>
  /**
   * Pauses a campaign after a refusal that would hit each of its messages, so that it hands over nothing
   * more.
   */
  pauseCampaign(ctx: Context, broadcastId: string, error: OperatorError): Promise<void>
  /**
   * Returns whether this process answers requests now, and whether the answers take long: simulated messages
   * give way to requests.
   */
  areAnswersFrequent(): boolean
  areAnswersSlow(): boolean
  /** Records whether the backlog of simulated numbers is so long that their receipts must be delayed. */
  setHandoversWaiting(wait: boolean): void
  /** Waits for `ms` milliseconds; the timer doesn't keep an ending process alive. */
  pause(ms: number): Promise<unknown>
  onError(error: unknown): void
  /** The folder in which processes on this machine keep their journals of calls. */
  journalFolder: string
  /**
   * Receives the reason why this process keeps no journal. Without a journal, the outcome of every open call
   * is unknown after a kill.
   */
  onNoJournal(error: unknown): void
  /** Undefined in a process that exports no traces. */
  traceStep?: TraceStep | undefined
}

/** Runs statements about messages as a step of their traces, which `name` names. */
export type TraceStep = <Result>(
  name: string,
  messageIds: readonly string[],
  run: () => Promise<Result>,
) => Promise<Result>

/** Runs statements about messages, as a step of their traces if this process exports traces. */
export const asStep = <Result>(
  { traceStep }: Pick<HandoverOptions, 'traceStep'>,
  name: string,
  messages: readonly { id: string }[],
  run: () => Promise<Result>,
): Promise<Result> =>
  traceStep
    ? traceStep(
        name,
        messages.map(({ id }) => id),
        run,
      )
    : run()

/** A call under way; `slow` once it no longer counts against the limit of quick calls. */
export type Call = { lane: Lane; startedAtMs: number; slow: boolean }

export type Dispatcher = HandoverOptions & {
  /** The id of this process in the rows of lanes. */
  holder: string
  /** Lanes by the number's id. */
  lanes: Map<string, Lane>
  /** Released lanes whose state is still remembered. */
  resting: Map<string, Lane>
  calls: Set<Call>
  slow: number
  /** The number of messages that this process has fetched or is sending. */
  known: number
  writer: OutcomeWriter
  /** Undefined until the journal is open, and where no journal can be kept. */
  journal: CallJournal | undefined
  stopping: boolean
  /** Requests that all calls that may begin do so. */
  pump(): void
}

/** Forgets a message that this process no longer works on. */
export function forget(dispatcher: Dispatcher, lane: Lane, id: string): void {
  if (lane.known.delete(id)) dispatcher.known--
}
