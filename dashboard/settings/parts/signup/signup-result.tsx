/** Shows a signup after the return from the operator's page, and continues it. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { call, callDashboard } from '../../../api/request.ts'
import { Button } from '../../../kit/button.tsx'
import { Callout } from '../../../kit/callout.tsx'
import { Dialog } from '../../../kit/dialog.tsx'
import { TextField } from '../../../kit/field.tsx'
import { Failed, SkeletonRows } from '../../../kit/states.tsx'
import { notifyError } from '../../../shell/notify-error.ts'
import { t } from '../../texts.ts'
import { refresh, useWrite } from '../../use-write.ts'
import { OptionList } from './option-list.tsx'
import { type NumberSignup, signupQuery } from './queries.ts'

/** The operator is called several times, and each call may take long. */
const CONTINUE_TIMEOUT_MS = 90_000
const PIN = /^\d{6}$/

type Answer = { operatorId?: string; pin?: string }
type ResultProps = { id: string; onClose: () => void; onStart: () => void }
type PartProps = { signup: NumberSignup; isBusy: boolean; onContinue: (answer: Answer) => void }

function useContinue(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: Answer) =>
      (
        await callDashboard('POST /number-signups/{id}/continue', {
          params: { id },
          body,
          timeoutMs: CONTINUE_TIMEOUT_MS,
        })
      ).signup,
    onSuccess: (signup) => {
      client.setQueryData(signupQuery(id).queryKey, signup)
      return refresh(signup.state === 'connected' ? ['number', 'numberSignup'] : ['numberSignup'])
    },
    onError: notifyError,
  })
}

/** Asks for the PIN of a number that has one. */
function PinForm({ signup, isBusy, onContinue }: PartProps) {
  const [pin, setPin] = useState('')
  const [error, setError] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (PIN.test(pin)) onContinue({ pin })
    else setError(t('signup.pin.rule'))
  }
  return (
    <form noValidate className="flex flex-col gap-3" onSubmit={submit}>
      <Callout kind="warn" role="status">
        {t('signup.problem.pin', { number: signup.number ?? '' })}
      </Callout>
      <TextField
        label={t('signup.pin')}
        hint={t('signup.pin.hint')}
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        value={pin}
        error={error}
        onChange={(event) => setPin(event.target.value)}
      />
      <Button type="submit" variant="primary" busy={isBusy} className="self-end">
        {t('signup.continue')}
      </Button>
    </form>
  )
}

/** Shows why a signup failed or waits, with the operator's words. */
const Problem = ({ signup: { problem } }: { signup: NumberSignup }) =>
  problem && (
    <Callout kind={problem.reason === 'no_answer' ? 'warn' : 'bad'} role="alert">
      {t(`signup.problem.${problem.reason === 'pin' ? 'refused' : problem.reason}`)}
      {problem.message && <span className="mt-1 block break-words">{problem.message}</span>}
    </Callout>
  )

function Connected({ signup }: { signup: NumberSignup }) {
  const history = useWrite({
    work: () =>
      call('POST /phone-numbers/{id}/history-sync', { params: { id: signup.phoneNumberId! }, body: {} }),
    done: ({ addressBookProblem }) => addressBookProblem ?? t('numbers.history.requested.done'),
    isGood: ({ addressBookProblem }) => addressBookProblem === null,
    reads: ['number'],
  })
  return (
    <div className="flex flex-col gap-3">
      <Callout kind="good" role="status">
        {t('connect.done', { number: signup.number ?? '' })}
      </Callout>
      {signup.keepsPhoneApp ? (
        <>
          <p className="text-ink-2">{t('signup.history.text')}</p>
          <Button
            className="self-start"
            busy={history.isPending}
            disabled={history.isSuccess}
            onClick={() => history.mutate(undefined)}
          >
            {t('numbers.history')}
          </Button>
        </>
      ) : (
        <p className="text-ink-2">{t('signup.connected.text')}</p>
      )}
    </div>
  )
}

/** Shows the content for the state of a signup. */
function State({ signup, isBusy, onContinue }: PartProps) {
  if (signup.state === 'connected') return <Connected signup={signup} />
  if (isBusy || signup.state === 'working')
    return (
      <div role="status" className="flex flex-col gap-2">
        <p>{t('signup.working')}</p>
        <SkeletonRows rows={2} />
      </div>
    )
  if (signup.state === 'choosing')
    return (
      <div className="flex flex-col gap-3">
        <Problem signup={signup} />
        <p className="text-ink-2">{t('signup.choose.text')}</p>
        <OptionList
          label={t('signup.choose')}
          isBusy={isBusy}
          onChoose={(operatorId) => onContinue({ operatorId })}
          options={signup.numbers.map(({ operatorId, number, displayName }) => ({
            id: operatorId,
            title: number,
            text: displayName,
          }))}
        />
      </div>
    )
  if (signup.state === 'cancelled') return <Callout role="status">{t('signup.cancelled')}</Callout>
  if (signup.state === 'open') return <Callout role="status">{t('signup.open')}</Callout>
  if (signup.problem?.reason === 'pin')
    return <PinForm signup={signup} isBusy={isBusy} onContinue={onContinue} />
  return <Problem signup={signup} />
}

/** Returns the title for a signup. */
const titleOf = (signup: NumberSignup | undefined): string => {
  if (signup?.state === 'connected') return t('signup.title.connected')
  if (signup?.state === 'choosing') return t('signup.choose')
  return signup?.state === 'cancelled' || signup?.state === 'failed'
    ? t('signup.title.failed')
    : t('signup.start')
}

const CAN_START_AGAIN: readonly NumberSignup['state'][] = ['cancelled', 'failed', 'open']

export function SignupResult({ id, onClose, onStart }: ResultProps) {
  const { data: signup, error, isLoadingError, refetch } = useQuery(signupQuery(id))
  const continuing = useContinue(id)
  const started = useRef(false)
  const { mutate } = continuing
  const waits = signup?.state === 'unfinished' && signup.problem === null
  useEffect(() => {
    // Only the return from the operator's page continues by itself. After a problem, the admin decides.
    if (!waits || started.current) return
    started.current = true
    mutate({})
  }, [waits, mutate])
  const isPaused =
    signup?.state === 'unfinished' && signup.problem !== null && signup.problem.reason !== 'pin'
  return (
    <Dialog
      open
      onClose={onClose}
      title={titleOf(signup)}
      actions={
        <>
          <Button variant={signup?.state === 'connected' ? 'primary' : 'secondary'} onClick={onClose}>
            {signup?.state === 'connected' ? t('done') : t('signup.close')}
          </Button>
          {isPaused && (
            <Button variant="primary" busy={continuing.isPending} onClick={() => mutate({})}>
              {t('signup.retry')}
            </Button>
          )}
          {signup && CAN_START_AGAIN.includes(signup.state) && (
            <Button variant="primary" onClick={onStart}>
              {t('signup.again')}
            </Button>
          )}
        </>
      }
    >
      {isLoadingError ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : signup ? (
        <State signup={signup} isBusy={continuing.isPending} onContinue={mutate} />
      ) : (
        <SkeletonRows rows={2} />
      )}
    </Dialog>
  )
}

/** Explains an answer that belongs to no signup of this session. */
export const UnknownSignup = ({ onClose, onStart }: Omit<ResultProps, 'id'>) => (
  <Dialog
    open
    onClose={onClose}
    title={t('signup.title.failed')}
    actions={
      <>
        <Button onClick={onClose}>{t('signup.close')}</Button>
        <Button variant="primary" onClick={onStart}>
          {t('signup.again')}
        </Button>
      </>
    }
  >
    <Callout kind="bad" role="alert">
      {t('signup.unknown')}
    </Callout>
  </Dialog>
)
