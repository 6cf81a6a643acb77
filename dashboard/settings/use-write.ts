import { useMutation } from '@tanstack/react-query'
import { queryClient } from '../api/cache.ts'
import { notify } from '../kit/toasts.tsx'
import { confirmed } from '../shell/confirmed.ts'
import { notifyError } from '../shell/notify-error.ts'

type Options<Given, Result> = {
  work: (given: Given) => Promise<Result>
  /** What is said when it is done. */
  done: (result: Result, given: Given) => string
  /** Whether it came to what was wanted; it did unless said. */
  isGood?: (result: Result) => boolean
  /** The kinds that are read again. */
  reads: readonly string[]
  after?: (result: Result, given: Given) => void
}

/** A write that asks who is there where it must, says what was done, and has what it changed read again. */
export const useWrite = <Given, Result>({ work, done, isGood, reads, after }: Options<Given, Result>) =>
  useMutation({
    mutationFn: (given: Given) => confirmed(() => work(given)),
    onSuccess: (result, given) => {
      notify({ title: done(result, given), kind: isGood?.(result) === false ? 'bad' : 'good' })
      after?.(result, given)
      return refresh(reads)
    },
    onError: notifyError,
  })

export async function refresh(kinds: readonly string[]): Promise<void> {
  await Promise.all(kinds.map((kind) => queryClient.invalidateQueries({ queryKey: [kind] })))
}
