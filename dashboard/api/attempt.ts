import { useState } from 'react'
import { isPassing } from './errors.ts'
import { newId } from './new-id.ts'

/** Calls `write` with `body` and an idempotency key. */
export type Attempt = <Result>(
  body: unknown,
  write: (idempotencyKey: string) => Promise<Result>,
) => Promise<Result>

/**
 * Creates an attempt for writes that a user may retry: until the server responds, the same body keeps its
 * key, so that a write that arrived without a response is not repeated. Any response, also an error, ends the
 * attempt.
 */
export function newAttempt(): Attempt {
  let open: { text: string; key: string } | undefined
  return async (body, write) => {
    const text = JSON.stringify(body)
    if (open?.text !== text) open = { text, key: newId() }
    try {
      const result = await write(open.key)
      open = undefined
      return result
    } catch (error) {
      if (!isPassing(error)) open = undefined
      throw error
    }
  }
}

/** Returns an attempt that lasts as long as the form is shown. */
export const useAttempt = (): Attempt => useState(newAttempt)[0]
