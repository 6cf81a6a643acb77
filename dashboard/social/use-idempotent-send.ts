/**
 * Sends to the network with a key that stays the same while the result is unknown: a retry returns the result
 * of the first attempt, and nothing is sent twice.
 */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { newAttempt } from '../api/attempt.ts'
import { ApiError } from '../api/errors.ts'

const UNCONFIRMED = ['send_unconfirmed', 'reply_unconfirmed']

export function useIdempotentSend(
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
    /** Gives up this text: sending the same text later is a new message. */
    leave: () => {
      setAttempt(newAttempt)
      reset()
    },
    error,
    isUnconfirmed: error instanceof ApiError && UNCONFIRMED.includes(error.code),
    isPending,
  }
}
