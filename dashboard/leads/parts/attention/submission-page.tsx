/** Shows one submission: why it is no lead, the field of each answer, and a button to create the lead. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAttempt } from '../../../api/attempt.ts'
import { ApiError, messageOf } from '../../../api/errors.ts'
import { hasRole, useWorkspaceSession } from '../../../api/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Callout } from '../../../kit/callout.tsx'
import { Code } from '../../../kit/code.tsx'
import { TextField } from '../../../kit/field.tsx'
import { Page, Section } from '../../../kit/page.tsx'
import { Failed, SkeletonRows } from '../../../kit/states.tsx'
import { Checkbox } from '../../../kit/switch.tsx'
import { notify } from '../../../kit/toasts.tsx'
import { notifyError } from '../../../shell/notify-error.ts'
import { FieldTable } from './field-table.tsx'
import { changeState, createLead, type Mapping, type Submission, submissionQuery } from './queries.ts'
import { helpOf, reasonOf } from './reason.ts'
import { t } from './texts.ts'

type Props = { id: string; workspace: string; onBack: () => void }

export function SubmissionPage({ id, workspace, onBack }: Props) {
  const { data, error, isPending, refetch } = useQuery(submissionQuery(id))
  if (isPending) return <SkeletonRows tall />
  if (!data) return <Failed error={error} onRetry={() => void refetch()} />
  return <SubmissionDetails submission={data} workspace={workspace} onBack={onBack} />
}

type LoadedProps = { submission: Submission; workspace: string; onBack: () => void }

function SubmissionDetails({ submission, workspace, onBack }: LoadedProps) {
  const session = useWorkspaceSession(workspace)
  const mayWrite = hasRole(session.member.role, 'agent')
  return (
    <Page
      title={submission.form ?? t('unnamed')}
      description={
        <button type="button" className="font-medium text-accent hover:underline" onClick={onBack}>
          {t('back.list')}
        </button>
      }
    >
      <div className="mb-6">
        {submission.state !== 'captured' ? (
          <Callout kind={submission.state === 'needs_attention' ? 'warn' : 'info'}>
            <strong className="font-semibold">{reasonOf(submission)}.</strong>{' '}
            {submission.state === 'needs_attention' && helpOf(submission)}
          </Callout>
        ) : (
          <Callout
            kind="good"
            action={
              submission.leadId && (
                <Link
                  className="font-medium underline"
                  to={`/w/${workspace}/leads/${submission.leadId}` as never}
                >
                  {t('openLead')}
                </Link>
              )
            }
          >
            {t(submission.leadId === null ? 'repeated' : 'created')}
          </Callout>
        )}
      </div>
      {submission.state !== 'captured' && mayWrite ? (
        <MappingForm submission={submission} workspace={workspace} onBack={onBack} />
      ) : (
        submission.fields.length > 0 && (
          <Section title={t('fields')}>
            <FieldTable fields={submission.fields} />
          </Section>
        )
      )}
      <Section
        title={t('arrived')}
        description={t('arrived.text', { type: submission.contentType ?? t('arrived.unknownType') })}
      >
        <Code text={submission.body} label={t('arrived')} />
      </Section>
    </Page>
  )
}

/** Returns the guessed fields: the automatic mapping uses the same guesses. */
const suggestedFields = ({ fields }: Submission): Record<string, string> =>
  Object.fromEntries(fields.flatMap(({ path, suggestion }) => (suggestion ? [[path, suggestion]] : [])))

function MappingForm({ submission, workspace, onBack }: LoadedProps) {
  const navigate = useNavigate()
  const [fields, setFields] = useState(() => suggestedFields(submission))
  const [phone, setPhone] = useState('')
  const [name, setName] = useState('')
  const [remember, setRemember] = useState(true)
  const attempt = useAttempt()
  const body: Mapping = {
    fields,
    ...(phone.trim() === '' ? {} : { phone: phone.trim() }),
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    remember,
  }
  const create = useMutation({
    mutationFn: () => createLead(submission.id, body, attempt),
    onSuccess: ({ created, lead }) => {
      notify({ title: t(created ? 'created' : 'known'), kind: 'good' })
      void navigate({ to: `/w/${workspace}/leads/${lead.id}` } as never)
    },
  })
  const move = useMutation({
    mutationFn: (state: 'needs_attention' | 'dismissed') => changeState(submission.id, state),
    onSuccess: (_, state) => {
      if (state === 'dismissed')
        notify({
          title: t('dismissed'),
          action: { label: t('undo'), run: () => move.mutate('needs_attention') },
        })
      onBack()
    },
    onError: notifyError,
  })
  const hasNumber = phone.trim() !== '' || Object.values(fields).includes('phone')
  const dismissed = submission.state === 'dismissed'
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (hasNumber && !create.isPending) create.mutate()
      }}
    >
      {submission.fields.length > 0 && (
        <Section title={t('fields')} description={t('fields.text')}>
          <FieldTable fields={submission.fields} chosen={fields} onChange={setFields} />
        </Section>
      )}
      <Section title={t('lead')}>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={t('phone')}
            hint={t(submission.fields.length > 0 ? 'phone.hint' : 'phone.hint.needed')}
            type="tel"
            autoComplete="off"
            maxLength={200}
            value={phone}
            onChange={(event) => setPhone(event.target.value)}
          />
          <TextField
            label={t('name')}
            autoComplete="off"
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </div>
        {submission.fields.length > 0 && (
          <div className="mt-3">
            <Checkbox label={t('remember')} checked={remember} onChange={setRemember} />
          </div>
        )}
        {(create.isError || !hasNumber) && (
          <div className="mt-3">
            <Callout kind={create.isError ? 'bad' : 'info'} role={create.isError ? 'alert' : 'status'}>
              {create.isError
                ? faultOf(create.error)
                : t(submission.fields.length > 0 ? 'missing' : 'missing.typed')}
            </Callout>
          </div>
        )}
        <div className="mt-4 flex flex-wrap gap-2">
          <Button type="submit" variant="primary" disabled={!hasNumber} busy={create.isPending}>
            {t('create')}
          </Button>
          <Button
            busy={move.isPending}
            onClick={() => move.mutate(dismissed ? 'needs_attention' : 'dismissed')}
          >
            {t(dismissed ? 'reopen' : 'dismiss')}
          </Button>
        </div>
      </Section>
    </form>
  )
}

/** Returns the server's error, with the field that it names. */
const faultOf = (error: unknown): string =>
  error instanceof ApiError && error.issues.length > 0
    ? error.issues.map(({ path, message }) => `${path.replace(/^fields\./, '')}: ${message}`).join('; ')
    : messageOf(error)
