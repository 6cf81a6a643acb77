/** Registers an endpoint, or changes what it is sent and where. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { createWebhookLimits } from '../../../sdk/limits.ts'
import { showIssues } from '../../api/form.ts'
import { call } from '../../api/request.ts'
import { Button } from '../../kit/button.tsx'
import { Callout } from '../../kit/callout.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { notify } from '../../kit/toasts.tsx'
import { storeWebhook, type Webhook } from '../queries.ts'
import { t } from '../words.ts'
import { EventPicker, type Picked } from './event-picker.tsx'

type Values = { url: string; events: string }
type Props = {
  /** The one that is changed; a new one when undefined. */
  webhook?: Webhook
  onClose: () => void
  onCreated?: (webhook: Webhook, secret: string) => void
}

export function EditWebhook({ webhook, onClose, onCreated }: Props) {
  const { register, handleSubmit, formState, setError, clearErrors } = useForm<Values>({
    defaultValues: { url: webhook?.url ?? '' },
  })
  const [events, setEvents] = useState<Picked>(webhook ? webhook.events : null)
  const { errors } = formState
  const save = useMutation({
    mutationFn: async (url: string) => {
      if (!webhook) {
        const made = await call('POST /webhooks', { body: { url, events } })
        storeWebhook(made.webhook)
        onCreated?.(made.webhook, made.secret)
        return
      }
      const changed = await call('PATCH /webhooks/:id', { params: { id: webhook.id }, body: { url, events } })
      storeWebhook(changed.webhook)
      notify({ title: t('saved'), kind: 'good' })
      onClose()
    },
    onError: (error) => showIssues(error, ['url', 'events'], setError),
  })
  const submit = handleSubmit((values) => {
    if (events?.length === 0) setError('events', { message: t('events.required') })
    else save.mutate(values.url.trim())
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(webhook ? 'edit.title' : 'create.title')}
      description={webhook ? undefined : t('create.text')}
      actions={
        <Button variant="primary" busy={save.isPending} onClick={() => void submit()}>
          {t(webhook ? 'edit.save' : 'create')}
        </Button>
      }
    >
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {errors.root?.message && (
          <Callout kind="bad" role="alert">
            {errors.root.message}
          </Callout>
        )}
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
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}
