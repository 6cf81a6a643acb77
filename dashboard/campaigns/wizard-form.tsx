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
import { fromZoneInput, toZoneInput } from '../kit/zone-times.tsx'
import { AudienceStep } from './parts/audience-step.tsx'
import type { Origin } from './parts/draft-from.ts'
import type { Step } from './parts/gates.tsx'
import { type Content, type Draft, isFilled, planOf } from './parts/plan.ts'
import { PreviewStep } from './parts/preview-step.tsx'
import { TemplateStep } from './parts/template-step.tsx'
import type { TestContent } from './parts/test-send.tsx'
import { TimeStep, type Timing } from './parts/time-step.tsx'
import { previewQuery } from './queries.ts'
import { t } from './texts.ts'

const SegmentDialog = lazyComponent(() =>
  import('./parts/segment-dialog.tsx').then((module) => module.SegmentDialog),
)

const TestSend = lazyComponent(() => import('./parts/test-send.tsx').then((module) => module.TestSend))

const STEPS: readonly Step[] = ['audience', 'template', 'preview', 'time']
const HOUR_MS = 3_600_000

/** Returns the templates of a draft with their values. */
const contentsOf = (draft: Draft): Content[] => [draft, ...draft.others]

/** Returns whether a step has all values that the next steps require. */
function isDone(step: Step, draft: Draft): boolean {
  if (step === 'audience')
    return Boolean(
      draft.name.trim() && draft.phoneNumberId && (draft.audience !== 'segment' || draft.segmentId),
    )
  if (step !== 'template') return true
  return contentsOf(draft).every(
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
function useDraft(start: Draft) {
  const [draft, setDraft] = useState(start)
  const { data: numbers = [] } = useQuery(numbersQuery)
  const onlyNumberId = numbers.length === 1 ? numbers[0]!.id : undefined
  const change = (patch: Partial<Draft>) => setDraft((before) => ({ ...before, ...patch }))
  useEffect(() => {
    if (onlyNumberId)
      setDraft((before) => ({ ...before, phoneNumberId: before.phoneNumberId ?? onlyNumberId }))
  }, [onlyNumberId])
  return { draft, change, sender: numbers.find(({ id }) => id === draft.phoneNumberId) }
}

/** Returns whether the user has changed anything; the preselected number does not count. */
const isChanged = (draft: Draft, start: Draft): boolean =>
  JSON.stringify({ ...draft, phoneNumberId: undefined }) !==
  JSON.stringify({ ...start, phoneNumberId: undefined })

/** Moves a past start time to an hour from now. */
function withFutureStart(timing: Timing, zone: string): Timing {
  const at = fromZoneInput(zone, timing.at)
  return at && Date.parse(at) > workspaceNow()
    ? timing
    : { ...timing, at: toZoneInput(zone, workspaceNow() + HOUR_MS) }
}

type Props = {
  start: Draft
  /** The campaign that the draft copies or follows up. */
  origin?: Origin
  /** The time zone of the workspace. */
  zone: string
  onMade: (id: string) => void
}

export function WizardForm({ start: initial, origin, zone, onMade }: Props) {
  const [start] = useState(initial)
  const { draft, change, sender } = useDraft(start)
  const [step, setStep] = useState<Step>('audience')
  const [isSavingSegment, setSavingSegment] = useState(false)
  const [testing, setTesting] = useState<TestContent[]>()
  const [isTried, setTried] = useState(false)
  const [timing, setTiming] = useState<Timing>({ begins: 'now', at: '' })
  const plan = planOf(draft)
  const unsaved = useUnsaved(isChanged(draft, start))
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
            ? { scheduledAt: fromZoneInput(zone, timing.at)! }
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
    if (to === 'time') setTiming((before) => withFutureStart(before, zone))
  }
  const next = () => {
    if (!isDone(step, draft)) setTried(true)
    else if (step !== 'time') go(STEPS[STEPS.indexOf(step) + 1]!)
    else if (timing.begins === 'later' && !fromZoneInput(zone, timing.at)) setTried(true)
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
        {draft.followUpOf && origin && (
          <p className="mb-4 text-ink-2">
            {t(origin.contactIds ? 'followUp.some' : 'followUp.note', {
              name: origin.campaign.name,
              count: origin.contactIds?.length ?? 0,
            })}
          </p>
        )}
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
            <PreviewStep plan={plan} draft={draft} onChange={change} onStep={go} onTest={setTesting} />
          )}
          {step === 'time' && (
            <TimeStep
              timing={timing}
              zone={zone}
              onChange={setTiming}
              summary={[
                t('summary', {
                  count: preview.data?.audience.willSend ?? 0,
                  template: contentsOf(draft)
                    .map(({ template }) => template?.name)
                    .join(', '),
                  number: sender?.displayName ?? '',
                }),
                preview.data?.cost?.cost && t('summary.cost', { cost: preview.data.cost.cost }),
              ]
                .filter(Boolean)
                .join(' ')}
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
      {/* Outside of the form: the forms of the dialogs would submit this one too. */}
      {testing && draft.phoneNumberId && (
        <TestSend
          contents={testing}
          phoneNumberId={draft.phoneNumberId}
          onClose={() => setTesting(undefined)}
        />
      )}
      {isSavingSegment && (
        <SegmentDialog
          conditions={draft}
          onSaved={({ id }) => change({ audience: 'segment', segmentId: id })}
          onClose={() => setSavingSegment(false)}
        />
      )}
    </>
  )
}
