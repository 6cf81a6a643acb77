import type { Director } from './director.ts'
import type { GraphAnswer } from './graph-errors.ts'
import type { UploadedFile } from './multipart-body.ts'
import type { SimulatedNumber, SimulatedObject, SimulatorStore } from './store.ts'

/** One call of the operator's API, admitted by its token. */
export type SimulatedCall = {
  store: SimulatorStore
  director: Director
  /** The number that speaks: the one addressed, or the first of the account or object addressed. */
  number: SimulatedNumber
  /** What was addressed when it was neither a number nor an account. */
  object: SimulatedObject | undefined
  /** What follows the name of the edge in the path. */
  rest: string[]
  /** Parameters of the query, then of the body. */
  values: Record<string, unknown>
  /** The file of a multipart body. */
  file: UploadedFile | undefined
  /** The whole body of a POST to an upload, as it came. */
  bytes: Buffer | undefined
  headers: Record<string, string | string[] | undefined>
  /** The simulator's own address, for links to itself. */
  url: string
  /** What the call was addressed to: its version, the path behind it, and the token that admitted it. */
  version: string
  path: string
  token: string
}

/**
 * Calls by what they address and how: `number POST messages`, `account GET message_templates`, `app POST uploads`, or
 * the kind of an object, such as `media GET`. A call more is a row more.
 */
export type Calls = Record<string, (call: SimulatedCall) => Promise<GraphAnswer>>
