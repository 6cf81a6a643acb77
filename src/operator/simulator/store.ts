import type { Restriction } from './restrictions.ts'

/** A number that the simulator plays. */
export type SimulatedNumber = {
  operatorId: string
  accountId: string
  token: string
  /** Digits, as the operator shows it. */
  displayNumber: string
  /** When it joined its account. */
  onboardedAt?: Date
  /** How the operator sees it; without, nothing is wrong with it. */
  state?: NumberState
}

/** The operator's view of a number, in its own words (docs/formats.md section 7). */
export type NumberState = {
  status: 'CONNECTED' | 'PENDING' | 'FLAGGED' | 'RESTRICTED' | 'RATE_LIMITED' | 'BANNED' | 'DISCONNECTED'
  quality: 'GREEN' | 'YELLOW' | 'RED' | 'UNKNOWN'
  throughput: 'STANDARD' | 'HIGH' | 'NOT_APPLICABLE'
  messagingLimit: string
  verifiedName: string
  username: string | null
  /** Its token is no longer good. */
  tokenExpired: boolean
  /** What its account may not send, although the number is sound. */
  restrictions: Restriction[]
}

/** A number that nothing is wrong with. */
export const soundNumber: NumberState = {
  status: 'CONNECTED',
  quality: 'GREEN',
  throughput: 'STANDARD',
  messagingLimit: 'TIER_250',
  verifiedName: 'Sandbox',
  username: null,
  tokenExpired: false,
  restrictions: [],
}

/** A report that the simulator will make: the operator's webhook `value`, made for the moment it falls due. */
export type ScheduledReport = {
  /** Milliseconds after now, in the time of the number's workspace. */
  afterMs: number
  /** The webhook's field; `messages` unless said. */
  field?: string
  value(at: Date): unknown
}

/** Something that the simulated operator keeps for an account. */
export type SimulatedObject = {
  /** template, media, upload, blocked, flow … */
  kind: string
  /** The operator's id: unique among all accounts. */
  id: string
  accountId: string
  value: Record<string, unknown>
  bytes: Buffer | null
  /** From then on nobody finds it; null: never. */
  expiresAt: Date | null
}

/**
 * Where the simulator keeps what must survive a crash. Inside Parley it is the database; alone, memory and timers.
 */
export type SimulatorStore = {
  findNumber(operatorId: string): Promise<SimulatedNumber | undefined>
  /** The account's numbers; none when nobody has the account. */
  listNumbers(accountId: string): Promise<SimulatedNumber[]>
  /** The number whose token it is. */
  findNumberByToken(token: string): Promise<SimulatedNumber | undefined>
  /** Changes how the operator sees a number. A store without it holds its numbers as they are. */
  setNumberState?(number: SimulatedNumber, patch: Partial<NumberState>): Promise<void>
  /** The time of the number's workspace. */
  now(number: SimulatedNumber): Promise<Date>
  /**
   * The channel id of a message with this callback data that was taken before. A store that answers
   * here lets the simulator take each message once, so that a sender may safely try again.
   */
  findAccepted?(number: SimulatedNumber, callbackData: string): Promise<string | undefined>
  /** Returns once the reports are durable: only then is the message accepted. */
  schedule(
    number: SimulatedNumber,
    reports: ScheduledReport[],
    callbackData: string | undefined,
  ): Promise<void>
  /** Keeps an object for the number's account, in place of one of the same kind and id. */
  keep(number: SimulatedNumber, object: Omit<SimulatedObject, 'accountId'>): Promise<void>
  find(id: string): Promise<SimulatedObject | undefined>
  /** Whether the number's account has such an object. */
  has(number: SimulatedNumber, kind: string, id: string): Promise<boolean>
  /** The account's objects of a kind, without their bytes, in the order in which they were first kept. */
  list(number: SimulatedNumber, kind: string): Promise<SimulatedObject[]>
  /** Whether there was one to drop. */
  drop(number: SimulatedNumber, kind: string, id: string): Promise<boolean>
}
