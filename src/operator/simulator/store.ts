import { sameSecret } from '../../core/values/api-key.ts'
import type { Restriction } from './restrictions.ts'

/** A simulated number. */
export type SimulatedNumber = {
  operatorId: string
  accountId: string
  token: string
  /** Digits, as the operator shows them. */
  displayNumber: string
  /** When it was added to its account. */
  onboardedAt?: Date
  /** Whether the business also uses it in the phone app; unless false, its history can be requested. */
  inPhoneApp?: boolean
  /** Tokens that its owner gave to apps in the hosted signup; each works like `token`. */
  grantedTokens?: string[]
  /** Its two-step PIN; without one, the first registration sets it. */
  pin?: string
  /** Its state at the operator; default: healthy. */
  state?: NumberState
}

/** Returns whether a token gives access to a number. */
export const hasToken = ({ token: ownToken, grantedTokens = [] }: SimulatedNumber, token: string): boolean =>
  [ownToken, ...grantedTokens].some((valid) => sameSecret(valid, token))

/** The operator's state of a number, in the operator's terms (docs/formats.md section 7). */
export type NumberState = {
  status: 'CONNECTED' | 'PENDING' | 'FLAGGED' | 'RESTRICTED' | 'RATE_LIMITED' | 'BANNED' | 'DISCONNECTED'
  quality: 'GREEN' | 'YELLOW' | 'RED' | 'UNKNOWN'
  throughput: 'STANDARD' | 'HIGH' | 'NOT_APPLICABLE'
  messagingLimit: string
  verifiedName: string
  username: string | null
  /** Its token has expired. */
  tokenExpired: boolean
  /** Restrictions of its account, although the number is healthy. */
  restrictions: Restriction[]
}

/** A healthy number. */
export const numberInGoodHealth: NumberState = {
  status: 'CONNECTED',
  quality: 'GREEN',
  throughput: 'STANDARD',
  messagingLimit: 'TIER_250',
  verifiedName: 'Sandbox',
  username: null,
  tokenExpired: false,
  restrictions: [],
}

/** A scheduled report: the operator's webhook `value`, built for the moment it is due. */
export type ScheduledReport = {
  /** Milliseconds from now, in the time of the number's workspace. */
  afterMs: number
  /** The webhook's field; default: `messages`. */
  field?: string
  value(time: Date): unknown
}

/** An object that the simulated operator stores for an account. */
export type SimulatedObject = {
  /** template, media, upload, blocked, flow … */
  kind: string
  /** The operator's id: unique across all accounts. */
  id: string
  accountId: string
  value: Record<string, unknown>
  bytes: Buffer | null
  /** When the object disappears; null: never. */
  expiresAt: Date | null
}

/**
 * The storage of the simulator for data that must survive a crash. In Parley it is the database; standalone,
 * memory and timers.
 */
export type SimulatorStore = {
  findNumber(operatorId: string): Promise<SimulatedNumber | undefined>
  /** Returns the account's numbers; none if the account does not exist. */
  listNumbers(accountId: string): Promise<SimulatedNumber[]>
  /** Returns the number with this token. */
  findNumberByToken(token: string): Promise<SimulatedNumber | undefined>
  /** Changes the operator's state of a number. Without this function, states do not change. */
  setNumberState?(number: SimulatedNumber, patch: Partial<NumberState>): Promise<void>
  /** Returns the time of the number's workspace. */
  now(number: SimulatedNumber): Promise<Date>
  /**
   * Returns the channel id of an earlier accepted message with this callback data. With this function the
   * simulator accepts each message once, so that senders may safely retry.
   */
  findAccepted?(number: SimulatedNumber, callbackData: string): Promise<string | undefined>
  /** Resolves when the reports are durable: only then is the message accepted. */
  schedule(
    number: SimulatedNumber,
    reports: ScheduledReport[],
    callbackData: string | undefined,
  ): Promise<void>
  /** Stores an object for the number's account; replaces one of the same kind and id. */
  keep(number: SimulatedNumber, object: Omit<SimulatedObject, 'accountId'>): Promise<void>
  find(id: string): Promise<SimulatedObject | undefined>
  /** Returns whether the number's account has this object. */
  has(number: SimulatedNumber, kind: string, id: string): Promise<boolean>
  /** Returns the account's objects of a kind, without their bytes, in the order of creation. */
  list(number: SimulatedNumber, kind: string): Promise<SimulatedObject[]>
  /** Deletes an object; returns whether it existed. */
  drop(number: SimulatedNumber, kind: string, id: string): Promise<boolean>
}
