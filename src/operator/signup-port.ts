/**
 * The port to the operator's hosted signup: an owner allows the app of the installation to use their account, and the app
 * connects a number of it.
 */
import type { Answered } from './port.ts'

/** The settings `PARLEY_OPERATOR_APP_ID`, `…_APP_SECRET`, `…_CONFIG_ID`, and `…_DIALOG_URL`. */
export type OperatorAppSettings = {
  appId: string
  appSecret: string
  /** The operator's configuration of the signup: its permissions and its products. */
  configId: string
  /** Base address of the operator's pages, without the version. */
  dialogUrl: string
}

/** A number of an account that an owner shared. */
export type SharedNumber = {
  accountId: string
  operatorId: string
  /** E.164 with +. */
  number: string
  displayName: string | null
  /** The number must be registered before it can send. */
  mustRegister: boolean
}

/** The callback for the reports about an account, and the token by which Parley recognizes its verification. */
export type Subscription = { callbackUrl: string; verifyToken: string }

/** The calls of the hosted signup. Every function calls once and never rejects. */
export type OperatorSignup = {
  /** Signs the operator's reports. */
  appSecret: string
  /** The address to which the operator sends the browser back. The app's settings at the operator must name it. */
  redirectUri: string
  /**
   * Returns the address of the operator's page. `state` comes back with the answer. `keepsPhoneApp`: the owner also uses the
   * number in the phone app.
   */
  dialogUrl(input: { state: string; keepsPhoneApp: boolean }): string
  /** Exchanges the code of the answer for a token. A code works once, for a short time. */
  exchangeCode(code: string): Promise<Answered<string>>
  /** Returns the accounts that the owner shared with the app; none if the token is not of this app. */
  listAccounts(token: string): Promise<Answered<string[]>>
  /** Returns the numbers of an account, at most 100. */
  listNumbers(token: string, accountId: string): Promise<Answered<SharedNumber[]>>
  /** Sends the reports about an account to a callback, which the operator verifies during the call. */
  subscribe(token: string, accountId: string, subscription: Subscription): Promise<Answered<undefined>>
  /** Registers a number. `pin` is its two-step verification: the existing one, or the first. */
  register(token: string, operatorId: string, pin: string): Promise<Answered<undefined>>
  close(): Promise<void>
}

declare module '../core/context.ts' {
  interface Outside {
    /** Null if the installation has no app at the operator. */
    operatorSignup: OperatorSignup | null
    /**
     * Returns whether another workspace has the number, or connects other numbers of its account: the operator sends all
     * reports about an account to one callback.
     */
    isConnectedElsewhere(
      workspaceId: string,
      number: Pick<SharedNumber, 'accountId' | 'operatorId'>,
    ): Promise<boolean>
  }
}
