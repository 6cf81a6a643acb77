/** Shows the gates that prevent a campaign: each with its reason and how to resolve it. */
import { useParams } from '@tanstack/react-router'
import { useWorkspaceSession } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Callout } from '../../kit/callout.tsx'
import { Switch } from '../../kit/switch.tsx'
import { useNow } from '../../kit/time.tsx'
import { formatDueIn } from '../../kit/zone-times.tsx'
import type { Preview } from '../queries.ts'
import { t } from '../texts.ts'
import type { Draft } from './plan.ts'

export type Step = 'audience' | 'template' | 'preview' | 'time'
type Warning = Preview['warnings'][number]

/** Gates with texts of this page, and the step that resolves each; other gates have the server's text. */
const TEXTS = {
  new_recipients_unconfirmed: 'gate.unconfirmed',
  notice_to_new_recipients: 'gate.notice',
  new_recipient_cool_off: 'gate.coolOff',
  follow_up_notice_template: 'gate.followUpNotice',
} as const
const RESOLVED_AT: Partial<Record<Warning['error'], Step>> = {
  notice_to_new_recipients: 'template',
  follow_up_notice_template: 'template',
  invalid_template_parameters: 'template',
  template_header_media_required: 'template',
  quota_exceeded: 'audience',
  number_banned: 'audience',
  sending_blocked: 'audience',
}
/**
 * For each gate, the gate to resolve first: that resolves this gate too, or this gate applies only
 * afterwards.
 */
const RESOLVED_FIRST: Partial<Record<Warning['error'], Warning['error']>> = {
  notice_to_new_recipients: 'follow_up_notice_template',
  new_recipients_unconfirmed: 'notice_to_new_recipients',
}

/** Returns the gates that apply now. */
export const activeGates = (warnings: readonly Warning[]): Warning[] =>
  warnings.filter(({ error }) => !warnings.some((other) => other.error === RESOLVED_FIRST[error]))

const LEAVES_OUT: readonly Warning['error'][] = [
  'new_recipients_unconfirmed',
  'notice_to_new_recipients',
  'new_recipient_cool_off',
]

const hasText = (error: Warning['error']): error is keyof typeof TEXTS => error in TEXTS

/** Returns the text of a gate, from this page if it has one. */
function gateText(
  { error, message, earliestAt }: Warning,
  count: number,
  format: (at: string) => string,
): string {
  if (earliestAt) return t('gate.tooSoon', { time: format(earliestAt) })
  return hasText(error) ? t(TEXTS[error], { count }) : message
}

type Props = {
  preview: Preview
  draft: Draft
  onChange: (patch: Partial<Draft>) => void
  onStep: (step: Step) => void
}

function Gate({ warning, preview, onChange, onStep }: Omit<Props, 'draft'> & { warning: Warning }) {
  const { error, issues = [] } = warning
  const step = RESOLVED_AT[error]
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const zone = useWorkspaceSession(workspace).workspace.timezone
  const now = useNow()
  const format = (at: string) => t('about.time', { time: formatDueIn(zone, at, now), zone })
  return (
    <li>
      <Callout kind="warn">
        <p>{gateText(warning, preview.newRecipients, format)}</p>
        {issues.map((issue) => (
          <p key={`${issue.path} ${issue.message}`}>{issue.message}</p>
        ))}
        <div className="mt-2 flex flex-wrap gap-2 empty:hidden">
          {error === 'new_recipients_unconfirmed' && (
            <Button size="sm" onClick={() => onChange({ isConfirmed: true })}>
              {t('gate.confirm')}
            </Button>
          )}
          {LEAVES_OUT.includes(error) && (
            <Button size="sm" onClick={() => onChange({ isKnownOnly: true })}>
              {t('gate.leaveOut')}
            </Button>
          )}
          {error === 'follow_up_too_soon' && (
            <Button size="sm" onClick={() => onChange({ followUpOf: undefined })}>
              {t('gate.ofItsOwn')}
            </Button>
          )}
          {step && (
            <Button size="sm" onClick={() => onStep(step)}>
              {t(`gate.${step === 'template' ? 'template' : 'audience'}`)}
            </Button>
          )}
        </div>
      </Callout>
    </li>
  )
}

export function Gates({ preview, draft, onChange, onStep }: Props) {
  return (
    <div className="flex flex-col gap-3">
      {preview.warnings.length > 0 ? (
        <ul aria-label={t('gates')} className="flex flex-col gap-2">
          {activeGates(preview.warnings).map((warning) => (
            <Gate
              key={warning.error}
              warning={warning}
              preview={preview}
              onChange={onChange}
              onStep={onStep}
            />
          ))}
        </ul>
      ) : preview.audience.willSend > 0 ? (
        <Callout kind="good" role="status">
          {t('gate.none')}
        </Callout>
      ) : (
        <Callout kind="warn">
          <p>{t('gate.noRecipients')}</p>
          <div className="mt-2">
            <Button size="sm" onClick={() => onStep('audience')}>
              {t('gate.audience')}
            </Button>
          </div>
        </Callout>
      )}
      {(draft.isConfirmed || preview.newRecipients > 0) && (
        <Switch
          label={t('confirm')}
          checked={draft.isConfirmed}
          onChange={(isConfirmed) => onChange({ isConfirmed })}
        />
      )}
      <Switch
        label={t('knownOnly')}
        checked={draft.isKnownOnly}
        onChange={(isKnownOnly) => onChange({ isKnownOnly })}
      />
    </div>
  )
}
