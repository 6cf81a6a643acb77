/** The promise that methods of the client return. */
/* oxlint-disable unicorn/no-thenable -- the class is a promise */

// biome-ignore lint/suspicious/noExplicitAny: the reason of a rejection has the type that every promise gives it
type Reason = any

/** A reply with the response that contained it. */
export type WithResponse<Data> = {
  data: Data
  /** The response, whose body was read already. */
  response: Response
  /** Identifies the request in the log of the installation. */
  requestId: string | null
  /** Whether an earlier request with the same idempotency key made this reply. */
  replayed: boolean
}

/** A promise of a reply. `withResponse()` returns the headers of the response too. */
export class ReplyPromise<Data> implements Promise<Data> {
  readonly [Symbol.toStringTag] = 'ReplyPromise'
  readonly #reply: Promise<WithResponse<Data>>

  constructor(reply: Promise<WithResponse<Data>>) {
    this.#reply = reply
  }

  /** Returns the reply with its response, its request id, and whether it was replayed. */
  withResponse(): Promise<WithResponse<Data>> {
    return this.#reply
  }

  // biome-ignore lint/suspicious/noThenProperty: this class is a promise
  then<Result = Data, Failure = never>(
    onReply?: ((data: Data) => Result | PromiseLike<Result>) | null,
    onError?: ((error: Reason) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.#reply.then(({ data }) => data).then(onReply, onError)
  }

  catch<Failure = never>(
    onError?: ((error: Reason) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Data | Failure> {
    return this.then(undefined, onError)
  }

  finally(onEnd?: (() => void) | null): Promise<Data> {
    return this.#reply.then(({ data }) => data).finally(onEnd)
  }
}
