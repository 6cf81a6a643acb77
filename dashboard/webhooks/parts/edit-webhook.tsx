/** Registers an endpoint, or changes its address, events, and own headers. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { createWebhookLimits } from '../../../sdk/limits.ts'
import { useAttempt } from '../../api/attempt.ts'
import { showIssues } from '../../api/form.ts'
import { call } from '../../api/request.ts'
import { TextField } from '../../kit/field.tsx'
import { FormDialog } from '../../kit/form-dialog.tsx'
import { type HeaderEntry, HeaderFields, type HeaderTexts, headersToSend } from '../../kit/header-fields.tsx'
import { notify } from '../../kit/toasts.tsx'
import { withConfirmation } from '../../shell/confirm.ts'
import { storeWebhook, type Webhook } from '../queries.ts'
import { t } from '../texts.ts'
import { EventPicker, type SelectedEvents } from './event-picker.tsx'

type Values = { url: string; events: string; headers: string }

const HEADER_TEXTS: HeaderTexts = {
  legend: t('headers'),
  hint: t('headers.hint'),
  add: t('headers.add'),
  name: (number) => t('headers.name', { number }),
  value: (number) => t('headers.value', { number }),
  remove: (number) => t('headers.remove', { number }),
  stored: t('headers.stored'),
}
/** A new header without a value; the server reports it. */
const withValue = ({ name, value = '' }: { name: string; value?: string }) => ({ name, value })

type Props = {
  /** The endpoint to change; undefined for a new one. */
  webhook?: Webhook
  onClose: () => void
  onCreated?: (webhook: Webhook, secret: string) => void
}

export function EditWebhook({ webhook, onClose, onCreated }: Props) {
  const { register, handleSubmit, formState, setError, clearErrors } = useForm<Values>({
    defaultValues: { url: webhook?.url ?? '' },
  })
  const [events, setEvents] = useState<SelectedEvents>(webhook ? webhook.events : null)
  const [headers, setHeaders] = useState<HeaderEntry[]>(
    (webhook?.headers ?? []).map(({ name }) => ({ name, value: '' })),
  )
  const { errors } = formState
  const attempt = useAttempt()
  const save = useMutation({
    mutationFn: async (url: string) => {
      if (!webhook) {
        const body = { url, events, headers: headersToSend(headers).map(withValue) }
        const created = await attempt(body, (idempotencyKey) =>
          withConfirmation(() => call('POST /webhooks', { body, idempotencyKey })),
        )
        storeWebhook(created.webhook)
        onCreated?.(created.webhook, created.secret)
        return
      }
      const changed = await withConfirmation(() =>
        call('PATCH /webhooks/{id}', {
          params: { id: webhook.id },
          body: { url, events, headers: headersToSend(headers) },
        }),
      )
      storeWebhook(changed.webhook)
      notify({ title: t('saved'), kind: 'good' })
      onClose()
    },
    onError: (error) => showIssues(error, ['url', 'events', 'headers'], setError),
  })
  const submit = handleSubmit((values) => {
    if (events?.length === 0) setError('events', { message: t('events.required') })
    else save.mutate(values.url.trim())
  })
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t(webhook ? 'edit.title' : 'create.title')}
      description={webhook ? undefined : t('create.text')}
      action={t(webhook ? 'edit.save' : 'create')}
      busy={save.isPending}
      fault={errors.root}
      onSubmit={submit}
    >
      <TextField
        label={t('url')}
        hint={t('url.hint')}
        type="url"
        autoFocus
        placeholder="https://"
        error={errors.url && (errors.url.message || t('url.required'))}
        {...register('url', { required: true, maxLength: createWebhookLimits.url.maxLength })}
      />
      <EventPicker
        picked={events}
        onChange={(picked) => {
          clearErrors('events')
          setEvents(picked)
        }}
        error={errors.events?.message}
      />
      <HeaderFields
        texts={HEADER_TEXTS}
        headers={headers}
        storedNames={(webhook?.headers ?? []).map(({ name }) => name)}
        max={createWebhookLimits.headers.maxItems}
        onChange={(next) => {
          clearErrors('headers')
          setHeaders(next)
        }}
        error={errors.headers?.message}
      />
    </FormDialog>
  )
}
