/** Sends the message of a campaign to one number, before the campaign is started. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Template } from '../../../sdk/api.ts'
import { useAttempt } from '../../api/attempt.ts'
import { messageOf } from '../../api/errors.ts'
import { call } from '../../api/request.ts'
import { payloadOf, type Values } from '../../inbox/parts/template-fields.ts'
import { TextField } from '../../kit/field.tsx'
import { FormDialog } from '../../kit/form-dialog.tsx'
import { notify } from '../../kit/toasts.tsx'
import { t } from '../texts.ts'

/** A template with the values that the test shows. */
export type TestContent = { template: Template; values: Values }

type Props = { contents: readonly TestContent[]; phoneNumberId: string; onClose: () => void }

export function TestSend({ contents, phoneNumberId, onClose }: Props) {
  const [to, setTo] = useState('')
  const [isTried, setTried] = useState(false)
  const attempt = useAttempt()
  const send = useMutation({
    mutationFn: async (phone: string) => {
      for (const { template, values } of contents) {
        const body = {
          to: phone,
          type: 'template',
          phoneNumberId,
          payload: payloadOf(template, values),
        } as const
        await attempt(body, (idempotencyKey) => call('POST /send', { body, idempotencyKey }))
      }
    },
    onSuccess: (_nothing, phone) => {
      notify({ title: t('test.sent', { phone }), kind: 'good' })
      onClose()
    },
  })
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t('test.send')}
      description={t('test.send.text', { count: contents.length })}
      action={t('test.send.submit')}
      busy={send.isPending}
      fault={send.error && { message: messageOf(send.error) }}
      onSubmit={() => (to.trim() ? send.mutate(to.trim()) : setTried(true))}
    >
      <TextField
        label={t('test.send.to')}
        hint={t('test.send.to.hint')}
        type="tel"
        autoComplete="tel"
        dir="ltr"
        value={to}
        error={isTried && !to.trim() ? t('test.send.to.required') : undefined}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
