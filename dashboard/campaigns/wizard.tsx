/** Plans a campaign in four steps: audience, template, preview, and time. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { ArrowLeft, ArrowRight, Check } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useAttempt } from '../api/attempt.ts'
import { queryClient } from '../api/cache.ts'
import { messageOf } from '../api/errors.ts'
import { call } from '../api/request.ts'
import { numbersQuery } from '../inbox/queries.ts'
import { Button } from '../kit/button.tsx'
import { Callout } from '../kit/callout.tsx'
import { classes } from '../kit/classes.ts'
import { lazyComponent } from '../kit/lazy.tsx'
import { workspaceNow } from '../kit/time.tsx'
import { notify } from '../kit/toasts.tsx'
import { useUnsaved } from '../kit/unsaved.tsx'
import { AudienceStep } from './parts/audience-step.tsx'
import type { Step } from './parts/gates.tsx'
import { type Draft, emptyDraft, isFilled, planOf } from './parts/plan.ts'
import { PreviewStep } from './parts/preview-step.tsx'
import { TemplateStep } from './parts/template-step.tsx'
import { localTime, TimeStep, type Timing } from './parts/time-step.tsx'
import { previewQuery } from './queries.ts'
import { t } from './texts.ts'

const SegmentDialog = lazyComponent(() =>
  import('./parts/segment-dialog.tsx').then((module) => module.SegmentDialog),
)

const STEPS: readonly Step[] = ['audience', 'template', 'preview', 'time']
const HOUR_MS = 3_600_000

/** Returns whether a step has all values that the next steps require. */
function isDone(step: Step, draft: Draft): boolean {
  if (step === 'audience')
    return Boolean(
      draft.name.trim() && draft.phoneNumberId && (draft.audience === 'filter' || draft.segmentId),
    )
  if (step !== 'template') return true
  return [draft, ...draft.others].every(
    (content) => content.template !== undefined && isFilled(content.template, content),
  )
}

const Steps = ({ step, onStep }: { step: Step; onStep: (step: Step) => void }) => {
  const current = STEPS.indexOf(step)
  return (
    <ol aria-label={t('steps')} className="mb-6 flex flex-wrap gap-2">
      {STEPS.map((name, index) => (
        <li key={name}>
          <button
            type="button"
            disabled={index > current}
            aria-current={name === step ? 'step' : undefined}
            onClick={() => onStep(name)}
            className={classes(
              'flex h-9 items-center gap-2 rounded-md px-3 font-medium disabled:text-ink-3 pointer-coarse:h-11',
              name === step ? 'bg-accent-soft text-accent' : 'text-ink-2 enabled:hover:bg-surface-3',
            )}
          >
            {index < current ? <Check aria-hidden size={15} /> : <span aria-hidden>{index + 1}</span>}
            {t(`step.${name}`)}
          </button>
        </li>
      ))}
    </ol>
  )
}

/** Returns the draft, with the number preselected if there is only one. */
function useDraft(followUpOf: string | undefined) {
  const [draft, setDraft] = useState(() => emptyDraft(followUpOf))
  const { data: numbers = [] } = useQuery(numbersQuery)
  const onlyNumberId = numbers.length === 1 ? numbers[0]!.id : undefined
  const change = (patch: Partial<Draft>) => setDraft((before) => ({ ...before, ...patch }))
  useEffect(() => {
    if (onlyNumberId)
      setDraft((before) => ({ ...before, phoneNumberId: before.phoneNumberId ?? onlyNumberId }))
  }, [onlyNumberId])
  return { draft, change }
}

/** Returns whether the user has entered anything; the preselected number does not count. */
const isStarted = (draft: Draft): boolean =>
  JSON.stringify({ ...draft, phoneNumberId: undefined }) !== JSON.stringify(emptyDraft(draft.followUpOf))

/** Moves a past start time to an hour from now. */
const withFutureStart = (timing: Timing): Timing =>
  timing.at && new Date(timing.at).getTime() > workspaceNow()
    ? timing
    : { ...timing, at: localTime(workspaceNow() + HOUR_MS) }

type Props = { followUpOf?: string | undefined; onMade: (id: string) => void }

export function Wizard({ followUpOf, onMade }: Props) {
  const { draft, change } = useDraft(followUpOf)
  const [step, setStep] = useState<Step>('audience')
  const [isSavingSegment, setSavingSegment] = useState(false)
  const [isTried, setTried] = useState(false)
  const [timing, setTiming] = useState<Timing>({ begins: 'now', at: '' })
  const plan = planOf(draft)
  const unsaved = useUnsaved(isStarted(draft))
  const preview = useQuery({
    ...previewQuery(plan ?? ({} as never)),
    enabled: plan !== undefined && (step === 'preview' || step === 'time'),
  })
  const isRefused = !preview.data || preview.data.warnings.length > 0
  const attempt = useAttempt()
  const make = useMutation({
    mutationFn: async () => {
      const schedule =
        timing.begins === 'now'
          ? { sendNow: true }
          : timing.begins === 'later'
            ? { scheduledAt: new Date(timing.at).toISOString() }
            : {}
      const body = { name: draft.name.trim(), ...plan!, ...schedule }
      return attempt(body, (idempotencyKey) => call('POST /broadcasts', { body, idempotencyKey }))
    },
    onSuccess: ({ id }) => {
      void queryClient.invalidateQueries({ queryKey: ['broadcast', 'list'] })
      notify({ title: t(`made.${timing.begins}`), kind: 'good' })
      unsaved.release()
      onMade(id)
    },
  })
  const pane = useRef<HTMLFieldSetElement>(null)
  const go = (to: Step) => {
    setTried(false)
    setStep(to)
    // The new step's fields are before the button that led here.
    requestAnimationFrame(() => pane.current?.focus())
    // The sandbox's clock is known by now, and may have moved since the last read.
    if (to === 'time') setTiming(withFutureStart)
  }
  const next = () => {
    if (!isDone(step, draft)) setTried(true)
    else if (step !== 'time') go(STEPS[STEPS.indexOf(step) + 1]!)
    else if (timing.begins === 'later' && !timing.at) setTried(true)
    else make.mutate()
  }
  return (
    <>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          next()
        }}
      >
        {unsaved.question}
        <Steps step={step} onStep={go} />
        {draft.followUpOf && <p className="mb-4 text-ink-2">{t('followUp.text')}</p>}
        <fieldset ref={pane} tabIndex={-1} aria-label={t(`step.${step}`)} className="min-w-0 outline-none">
          {step === 'audience' && (
            <AudienceStep
              draft={draft}
              onChange={change}
              isTried={isTried}
              onSaveSegment={() => setSavingSegment(true)}
            />
          )}
          {step === 'template' && <TemplateStep draft={draft} onChange={change} isTried={isTried} />}
          {step === 'preview' && plan && (
            <PreviewStep plan={plan} draft={draft} onChange={change} onStep={go} />
          )}
          {step === 'time' && (
            <TimeStep
              timing={timing}
              onChange={setTiming}
              error={isTried && !timing.at ? t('at.required') : undefined}
            />
          )}
        </fieldset>
        {make.error && (
          <div className="mt-4 max-w-xl">
            <Callout kind="bad" role="alert">
              {messageOf(make.error)}
            </Callout>
          </div>
        )}
        <footer className="mt-8 flex flex-wrap gap-2">
          {step !== 'audience' && (
            <Button icon={ArrowLeft} onClick={() => go(STEPS[STEPS.indexOf(step) - 1]!)}>
              {t('previous')}
            </Button>
          )}
          <Button
            type="submit"
            variant="primary"
            busy={make.isPending}
            icon={step === 'time' ? Check : ArrowRight}
            disabled={step === 'preview' && isRefused}
          >
            {t(step === 'time' ? `make.${timing.begins}` : 'next')}
          </Button>
        </footer>
      </form>
      {isSavingSegment && (
        // Outside of the form: its own form would submit this one too.
        <SegmentDialog
          conditions={draft}
          onSaved={({ id }) => change({ audience: 'segment', segmentId: id })}
          onClose={() => setSavingSegment(false)}
        />
      )}
    </>
  )
}
