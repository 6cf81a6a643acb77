/** Sends an issued document: to the chat, by mail, or as a link to share. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Controller, useForm } from 'react-hook-form'
import { useAttempt } from '../../api/attempt.ts'
import { showIssues } from '../../api/form.ts'
import { Button } from '../../kit/button.tsx'
import { FormFault } from '../../kit/callout.tsx'
import { CopyField } from '../../kit/copy.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { DialogActions } from '../../kit/dialog-actions.tsx'
import { TextArea, TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { notify } from '../../kit/toasts.tsx'
import { approvedTemplatesQuery, type Noun, type SalesDocument, sendDocument } from '../queries.ts'
import { t } from '../texts.ts'
import { isHidden } from './hidden.ts'
import { nameOf } from './status.tsx'

const WAYS = ['chat', 'email', 'link'] as const
const NO_TEMPLATE = 'none'
type Values = { via: (typeof WAYS)[number]; to: string; templateId: string; message: string }

type Props = { document: SalesDocument; noun: Noun; onClose: () => void }

export function SendDocument({ document, noun, onClose }: Props) {
  const { register, control, handleSubmit, watch, formState, setError } = useForm<Values>({
    defaultValues: { via: 'chat', to: '', templateId: NO_TEMPLATE, message: '' },
  })
  const { errors } = formState
  // The customer's page shows the details that are hidden from the member.
  const isHidingLinks = isHidden(document.customer.phone) || isHidden(document.customer.email)
  const via = watch('via')
  const { data: templates = [] } = useQuery({ ...approvedTemplatesQuery, enabled: via === 'chat' })
  // If the request is sent again, the document is sent only once.
  const attempt = useAttempt()
  const { mutate, isPending, data } = useMutation({
    mutationFn: ({ via, to, templateId, message }: Values) => {
      const body = {
        via,
        ...(via !== 'link' && to.trim() && { to: to.trim() }),
        ...(via === 'chat' && templateId !== NO_TEMPLATE && { templateId }),
        ...(via !== 'link' && message.trim() && { message: message.trim() }),
      }
      return attempt(body, (idempotencyKey) => sendDocument(noun, document.id, body, { idempotencyKey }))
    },
    onSuccess: (_, { via }) => {
      if (via === 'link') return
      notify({ title: t(`send.done.${via}`), kind: 'good' })
      onClose()
    },
    onError: (error) => showIssues(error, ['to', 'templateId', 'message'], setError),
  })
  const submit = handleSubmit((values) => mutate(values))
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('send.title', { number: nameOf(document) })}
      actions={
        data && via === 'link' ? (
          <Button onClick={onClose}>{t('send.close')}</Button>
        ) : (
          <DialogActions onCancel={onClose} busy={isPending} onClick={() => void submit()}>
            {t(`send.submit.${via}`)}
          </DialogActions>
        )
      }
    >
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <FormFault fault={errors.root} />
        <Controller
          control={control}
          name="via"
          render={({ field }) => (
            <SelectField
              label={t('send.via')}
              hint={t(`send.via.${field.value}.hint`)}
              value={field.value}
              onChange={field.onChange}
              choices={WAYS.filter((value) => value !== 'link' || !isHidingLinks).map((value) => ({
                value,
                label: t(`send.via.${value}`),
              }))}
            />
          )}
        />
        {via !== 'link' && (
          <>
            <TextField
              label={t(via === 'chat' ? 'send.to.chat' : 'send.to.email')}
              hint={t('send.to.hint')}
              error={errors.to?.message}
              {...register('to')}
            />
            {via === 'chat' && (
              <Controller
                control={control}
                name="templateId"
                render={({ field }) => (
                  <SelectField
                    label={t('send.template')}
                    hint={t('send.template.hint')}
                    error={errors.templateId?.message}
                    value={field.value}
                    onChange={field.onChange}
                    choices={[
                      { value: NO_TEMPLATE, label: t('send.template.none') },
                      ...templates.map(({ id, name, language }) => ({
                        value: id,
                        label: `${name} · ${language}`,
                      })),
                    ]}
                  />
                )}
              />
            )}
            <TextArea
              label={t('send.message')}
              maxLength={1000}
              error={errors.message?.message}
              {...register('message')}
            />
          </>
        )}
        {data?.url && via === 'link' && <CopyField text={data.url} label={t('send.copy')} />}
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}
