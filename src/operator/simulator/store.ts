/** A number that the simulator plays. */
export type SimulatedNumber = {
  operatorId: string
  accountId: string
  token: string
  /** Digits, as the operator shows it. */
  displayNumber: string
}

/** A report that the simulator will make: the operator's webhook `value`, made for the moment it falls due. */
export type ScheduledReport = {
  /** Milliseconds after now, in the time of the number's workspace. */
  afterMs: number
  value(at: Date): unknown
}

/**
 * Where the simulator keeps what must survive a crash. Inside Parley it is the job queue; alone,
 * memory and timers.
 */
export type SimulatorStore = {
  findNumber(operatorId: string): Promise<SimulatedNumber | undefined>
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
}
