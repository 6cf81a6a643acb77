/**
 * Writes to the network under a key that stays the same for the same words: whoever tries again after a failure, or after no answer,
 * is answered what came of the first attempt, and nothing goes out twice.
 */
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { ApiError } from '../api/errors.ts'
import { newId } from '../api/new-id.ts'

const UNCONFIRMED = ['send_unconfirmed', 'reply_unconfirmed']

export function useKeyed(
  write: (text: string, idempotencyKey: string) => Promise<unknown>,
  onDone: () => void,
) {
  const attempt = useRef<{ text: string; key: string }>(undefined)
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: (text: string) => {
      if (attempt.current?.text !== text) attempt.current = { text, key: newId() }
      return write(text, attempt.current.key)
    },
    onSuccess: () => {
      attempt.current = undefined
      onDone()
    },
  })
  return {
    send: (text: string) => mutate(text),
    /** The words that are done with: whoever writes them again means another message. */
    leave: () => {
      attempt.current = undefined
      reset()
    },
    error,
    isUnconfirmed: error instanceof ApiError && UNCONFIRMED.includes(error.code),
    isPending,
  }
}
