import { useState } from 'react'
import { isPassing } from './errors.ts'
import { newId } from './new-id.ts'

/** Writes `body` by `write`, under the key that it is given. */
export type Attempt = <Result>(
  body: unknown,
  write: (idempotencyKey: string) => Promise<Result>,
) => Promise<Result>

/**
 * Writes that are tried again by hand: as long as nothing was answered the same body goes under the same key, so that what arrived without
 * an answer is not done twice. What was answered, with a refusal too, is over.
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

/** The same for as long as a form is shown. */
export const useAttempt = (): Attempt => useState(newAttempt)[0]
