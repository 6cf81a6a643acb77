import type { Director } from './behavior.ts'
import type { GraphAnswer } from './graph-errors.ts'
import type { UploadedFile } from './multipart-body.ts'
import type { SimulatedNumber, SimulatedObject, SimulatorStore } from './store.ts'

/** One call of the operator's API, with a valid token. */
export type SimulatedCall = {
  store: SimulatorStore
  director: Director
  /** The calling number: the addressed number, or the first number of the addressed account or object. */
  number: SimulatedNumber
  /** The addressed object, if the call addresses neither a number nor an account. */
  object: SimulatedObject | undefined
  /** The path segments after the name of the edge. */
  rest: string[]
  /** Parameters of the query, then of the body. */
  values: Record<string, unknown>
  /** The file of a multipart body. */
  file: UploadedFile | undefined
  /** The whole body of a POST to an upload, unparsed. */
  bytes: Buffer | undefined
  headers: Record<string, string | string[] | undefined>
  /** The simulator's own address, for links to itself. */
  url: string
  /** The addressed version, the path after it, and the token of the call. */
  version: string
  path: string
  token: string
}

/**
 * Calls by target and method: `number POST messages`, `account GET message_templates`, `app POST uploads`, or
 * the kind of an object, such as `media GET`. To add a call, add a row.
 */
export type Calls = Record<string, (call: SimulatedCall) => Promise<GraphAnswer>>
