import { useState } from 'react'
import { type Path, useForm } from 'react-hook-form'
import { ApiError } from '../../api/errors.ts'
import { showIssues } from '../../api/form.ts'
import { callDashboard } from '../../api/request.ts'
import { Button } from '../../kit/button.tsx'
import { Callout, FormFault } from '../../kit/callout.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { useUnsaved } from '../../kit/unsaved.tsx'
import { withConfirmation } from '../../shell/confirm.ts'
import type { ConnectedNumber } from '../queries.ts'
import { t } from '../texts.ts'
import { ConnectedDialog } from './connected-dialog.tsx'

type Values = { number: string; accountId: string; operatorId: string; token: string; appSecret: string }
/** The fields of each step, with instructions for finding the values on the operator's pages. */
const STEPS = {
  number: ['number', 'accountId', 'operatorId'],
  credentials: ['token', 'appSecret'],
} as const satisfies Record<string, readonly Path<Values>[]>
const SECRETS: readonly string[] = ['token', 'appSecret']
const CLICKS = ['1', '2', '3'] as const
type Step = keyof typeof STEPS
/** Returns whether the error is about a field of the first step. */
const isOfNumber = (error: unknown): boolean =>
  error instanceof ApiError && error.issues.some(({ path }) => STEPS.number.some((name) => name === path))

type Props = { isSandbox: boolean; isHosted: boolean; onClose: () => void }

const GUIDE = '/docs/guides/connecting-a-number'

const Clicks = ({ step }: { step: Step }) => (
  <ol className="flex list-decimal flex-col gap-1 ps-5 text-ink-2">
    {CLICKS.map((click) => (
      <li key={click}>{t(`connect.${step}.click.${click}`)}</li>
    ))}
  </ol>
)

/**
 * Connects a number: asks for its IDs and the operator's credentials, then shows the address for the
 * operator's reports.
 */
export function ConnectNumber({ isSandbox, isHosted, onClose }: Props) {
  const [step, setStep] = useState<Step>('number')
  const [connected, setConnected] = useState<ConnectedNumber>()
  const { register, handleSubmit, setError, trigger, formState } = useForm<Values>()
  const { errors, isSubmitting, isDirty } = formState
  const { leaveBy, question } = useUnsaved(isDirty && !connected)
  const isLast = isSandbox || step === 'credentials'
  const connect = handleSubmit(async ({ number, ...rest }) => {
    const body = isSandbox
      ? ({ operator: 'simulator', number } as const)
      : ({ operator: 'cloud', number, ...rest } as const)
    try {
      setConnected(await withConfirmation(() => callDashboard('POST /numbers', { body })))
    } catch (error) {
      showIssues(error, [...STEPS.number, ...STEPS.credentials], setError)
      if (isOfNumber(error)) setStep('number')
    }
  })
  const onNext = async () => {
    if (isLast) await connect()
    else if (await trigger([...STEPS.number])) setStep('credentials')
  }
  if (connected) return <ConnectedDialog connected={connected} onClose={onClose} />
  const fields = isSandbox ? (['number'] as const) : STEPS[step]
  return (
    <>
      <Dialog
        open
        onClose={() => leaveBy(onClose)}
        title={t('numbers.connect')}
        description={isSandbox ? t('connect.sandbox') : t(`connect.step.${step}`)}
        actions={
          <>
            {step === 'credentials' && <Button onClick={() => setStep('number')}>{t('connect.back')}</Button>}
            <Button variant="primary" onClick={() => void onNext()} busy={isSubmitting}>
              {t(isLast ? 'connect.submit' : 'connect.next')}
            </Button>
          </>
        }
      >
        <form
          noValidate
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            void onNext()
          }}
        >
          <FormFault fault={errors.root} />
          {!isSandbox && !isHosted && step === 'number' && (
            <Callout>
              {t('signup.setup')}{' '}
              <a href={GUIDE} target="_blank" rel="noreferrer" className="font-medium text-accent underline">
                {t('signup.setup.link')}
              </a>
            </Callout>
          )}
          {!isSandbox && <Clicks step={step} />}
          {fields.map((name) => (
            <TextField
              key={name}
              label={t(`connect.field.${name}`)}
              hint={name === 'number' && t('connect.number.hint')}
              type={SECRETS.includes(name) ? 'password' : 'text'}
              autoComplete="off"
              error={errors[name]?.message}
              {...register(name, { required: t('required') })}
            />
          ))}
          <button type="submit" hidden />
        </form>
      </Dialog>
      {question}
    </>
  )
}
