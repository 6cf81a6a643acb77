/** Sends a published in-chat form into the open chat. */
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Conversation } from '../../../../sdk/api.ts'
import { useAttempt } from '../../../api/attempt.ts'
import { ApiError, messageOf } from '../../../api/errors.ts'
import { call } from '../../../api/request.ts'
import { Dialog } from '../../../kit/dialog.tsx'
import { TextArea, TextField } from '../../../kit/field.tsx'
import { FormDialog } from '../../../kit/form-dialog.tsx'
import { SelectField } from '../../../kit/select.tsx'
import { SkeletonRows } from '../../../kit/states.tsx'
import { notify } from '../../../kit/toasts.tsx'
import { t as inboxText } from '../../texts.ts'
import { t } from './texts.ts'

const formsQuery = queryOptions({
  queryKey: ['flow', 'list'],
  queryFn: async ({ signal }) => (await call('GET /flows', { signal })).flows,
})

/** The operator's limits. */
const [TEXT_MAX, BUTTON_MAX] = [1_024, 20]

type Props = { conversation: Conversation; workspace: string; open: boolean; onClose: () => void }

export function SendForm({ conversation, workspace, open, onClose }: Props) {
  const { data, error: failure } = useQuery({ ...formsQuery, enabled: open })
  const forms = data?.filter(({ status }) => status === 'published' || status === 'throttled')
  const [chosen, setChosen] = useState<string | null>(null)
  const [text, setText] = useState('')
  const [button, setButton] = useState('')
  const [isTried, setTried] = useState(false)
  const id = chosen ?? (forms?.length === 1 ? forms[0]!.id : null)
  // If the request is sent again, the form is sent only once.
  const attempt = useAttempt()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (formId: string) => {
      const body = { conversationId: conversation.id, body: text.trim(), cta: button.trim() }
      return attempt({ formId, ...body }, (idempotencyKey) =>
        call('POST /flows/{id}/send', { params: { id: formId }, body, idempotencyKey }),
      )
    },
    onSuccess: () => {
      notify({ title: t('form.sent'), kind: 'good' })
      onClose()
    },
  })
  const issues = error instanceof ApiError ? error.issues : []
  const issueOf = (path: string) => issues.find((issue) => issue.path === path)?.message
  const missing = (value: string | null) => (isTried && !value?.trim() ? t('part.fault.missing') : undefined)
  const submit = () => {
    setTried(true)
    if (id !== null && text.trim() && button.trim()) mutate(id)
  }
  if (!forms || forms.length === 0)
    return (
      <Dialog open={open} onClose={onClose} title={t('more.form')}>
        {failure ? (
          <p role="alert">{messageOf(failure)}</p>
        ) : !forms ? (
          <SkeletonRows rows={2} />
        ) : (
          <>
            <p className="mb-3">{t('form.none')}</p>
            <Link
              to={`/w/${workspace}/forms` as string}
              className="font-medium text-accent underline underline-offset-2"
            >
              {t('form.all')}
            </Link>
          </>
        )}
      </Dialog>
    )
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={t('more.form')}
      action={inboxText('composer.send')}
      busy={isPending}
      fault={error && issues.length === 0 ? { message: messageOf(error) } : undefined}
      onSubmit={submit}
    >
      <SelectField
        label={t('form.which')}
        value={id}
        onChange={setChosen}
        error={missing(id)}
        choices={forms.map((form) => ({ value: form.id, label: form.name }))}
      />
      <TextArea
        label={t('form.text')}
        hint={t('form.text.hint')}
        dir="auto"
        maxLength={TEXT_MAX}
        value={text}
        error={issueOf('body') ?? missing(text)}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <TextField
        label={t('form.button')}
        hint={t('form.button.hint')}
        dir="auto"
        maxLength={BUTTON_MAX}
        value={button}
        error={issueOf('cta') ?? missing(button)}
        onChange={(event) => setButton(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
