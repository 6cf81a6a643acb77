/** Asks for the user's identity before sensitive actions, and continues after the answer. */
import { useSyncExternalStore } from 'react'
import { ApiError } from '../api/errors.ts'

export type IdentityQuestion = {
  confirm: () => void
  cancel: () => void
  /** The user has confirmed already, and the server still asks. */
  isRepeated: boolean
  /** Only a passkey or a code of the authenticator app confirms this. */
  needsFactor: boolean
}
let question: IdentityQuestion | undefined
const listeners = new Set<() => void>()
function setQuestion(next: IdentityQuestion | undefined): void {
  question = next
  for (const listener of listeners) listener()
}

/** Error codes that a confirmation resolves. */
const CONFIRMABLE_CODES = ['not_confirmed', 'second_factor_required']

/** Runs `work`; if the server asks for identity, asks the user and runs it again. */
export async function withConfirmation<Result>(
  work: () => Promise<Result>,
  previousCode?: string,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError) || !CONFIRMABLE_CODES.includes(error.code)) throw error
    await new Promise<void>((resolve, reject) =>
      setQuestion({
        confirm: () => {
          setQuestion(undefined)
          resolve()
        },
        cancel: () => {
          setQuestion(undefined)
          reject(error)
        },
        isRepeated: error.code === previousCode,
        needsFactor: error.code === 'second_factor_required',
      }),
    )
    return withConfirmation(work, error.code)
  }
}

/** Returns the question that waits for an answer. */
export const useIdentityQuestion = (): IdentityQuestion | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => question,
  )
