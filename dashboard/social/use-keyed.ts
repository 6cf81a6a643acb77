/**
 * Writes to the network under a key that stays the same as long as nobody knows what came of them: whoever tries again is answered what
 * came of the first attempt, and nothing goes out twice.
 */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { newAttempt } from '../api/attempt.ts'
import { ApiError } from '../api/errors.ts'

const UNCONFIRMED = ['send_unconfirmed', 'reply_unconfirmed']

export function useKeyed(
  write: (text: string, idempotencyKey: string) => Promise<unknown>,
  onDone: () => void,
) {
  const [attempt, setAttempt] = useState(newAttempt)
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: (text: string) => attempt(text, (idempotencyKey) => write(text, idempotencyKey)),
    onSuccess: onDone,
  })
  return {
    send: (text: string) => mutate(text),
    /** The words that are done with: whoever writes them again means another message. */
    leave: () => {
      setAttempt(newAttempt)
      reset()
    },
    error,
    isUnconfirmed: error instanceof ApiError && UNCONFIRMED.includes(error.code),
    isPending,
  }
}
