import { useMutation } from '@tanstack/react-query'
import { queryClient } from '../api/cache.ts'
import { notify } from '../kit/toasts.tsx'
import { withConfirmation } from '../shell/confirm.ts'
import { notifyError } from '../shell/notify-error.ts'

type Options<Input, Result> = {
  work: (input: Input) => Promise<Result>
  /** Returns the notice after the write. */
  done: (result: Result, input: Input) => string
  /** Returns whether the write had the intended result; by default, it did. */
  isGood?: (result: Result) => boolean
  /** The kinds that are read again. */
  reads: readonly string[]
  after?: (result: Result, input: Input) => void
}

/** Returns a write that asks for identity if necessary, shows a notice, and reads the changed data again. */
export const useWrite = <Input, Result>({ work, done, isGood, reads, after }: Options<Input, Result>) =>
  useMutation({
    mutationFn: (input: Input) => withConfirmation(() => work(input)),
    onSuccess: (result, input) => {
      notify({ title: done(result, input), kind: isGood?.(result) === false ? 'bad' : 'good' })
      after?.(result, input)
      return refresh(reads)
    },
    onError: notifyError,
  })

/** Shows a notice after a write, and reads the changed data again. */
export function reportSaved(title: string, kinds: readonly string[]): Promise<void> {
  notify({ title, kind: 'good' })
  return refresh(kinds)
}

export async function refresh(kinds: readonly string[]): Promise<void> {
  await Promise.all(kinds.map((kind) => queryClient.invalidateQueries({ queryKey: [kind] })))
}
