/** Chooses an approved template and fills every part of it under a preview. */
import { ArrowLeft, Image } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Conversation, Template } from '../../../sdk/api.ts'
import { sendMessage } from '../../api/outbox.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { newestMessageId } from '../held-answer.ts'
import { recipientOf } from '../person.ts'
import { t } from '../texts.ts'
import { Formatted } from './kinds/text.tsx'
import { fieldsOf, payloadOf, previewOf, type TemplateField, type Values } from './template-fields.ts'
import { TemplateList } from './template-list.tsx'

/** Shows the message as a phone shows it. */
function TemplatePreview({ template, values }: { template: Template; values: Values }) {
  const { media, header, body, footer, buttons } = previewOf(template, values)
  return (
    <div className="flex flex-col gap-1 rounded-lg bg-surface-3 p-3">
      <p className="sr-only">{t('template.preview')}</p>
      <div className="rounded-lg bg-surface-1 px-3 py-2 shadow-[0_0_0_1px_var(--color-line)]">
        {media && (
          <span className="mb-2 flex h-24 items-center justify-center rounded-md bg-surface-3 text-ink-3">
            <Image aria-hidden size={22} />
          </span>
        )}
        {header && <p className="mb-1 font-semibold">{header}</p>}
        <Formatted text={body} />
        {footer && <p className="mt-1 text-xs text-ink-3">{footer}</p>}
      </div>
      {buttons.map((text) => (
        <p key={text} className="rounded-md bg-surface-1 py-1.5 text-center text-sm font-medium text-accent">
          {text}
        </p>
      ))}
    </div>
  )
}

function labelOf({ kind, name }: TemplateField): string {
  if (kind === 'headerMedia') return t('template.media', { kind: name })
  if (kind === 'headerText') return t('template.header', { name: `{{${name}}}` })
  if (kind === 'url') return t('template.url', { text: name })
  if (kind === 'coupon') return t('template.coupon')
  return t('template.variable', { name: `{{${name}}}` })
}

type Props = {
  open: boolean
  onClose: () => void
  conversation: Conversation
  workspace: string
  /** The member who sends the template. */
  me: string
}

export function TemplatePicker({ open, onClose, conversation, workspace, me }: Props) {
  const [template, setTemplate] = useState<Template>()
  const [values, setValues] = useState<Values>({})
  const [isTried, setTried] = useState(false)
  const sendButton = useRef<HTMLButtonElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const fields = template ? fieldsOf(template) : []
  const focusField = (index: number) => form.current?.querySelectorAll('input')[index]?.focus()
  // The keyboard continues in the first value, or at the button if there is none.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each chosen template
  useEffect(() => {
    if (!template) return
    if (fields.length > 0) focusField(0)
    else sendButton.current?.focus()
  }, [template])
  const missing = fields.filter(({ id }) => !values[id]?.trim())
  const close = () => {
    onClose()
    setTemplate(undefined)
    setValues({})
    setTried(false)
  }
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    setTried(true)
    if (!template) return
    if (missing.length > 0) return focusField(fields.indexOf(missing[0]!))
    const payload = payloadOf(template, values)
    sendMessage({
      workspace,
      conversationId: conversation.id,
      body: { ...recipientOf(conversation), type: 'template', payload },
      preview: previewOf(template, values).body,
      writer: me,
      since: newestMessageId(conversation.id),
    })
    close()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
    event.preventDefault()
    submit()
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      title={template?.name ?? t('template.title')}
      wide
      actions={
        template && (
          <>
            <Button variant="ghost" icon={ArrowLeft} onClick={() => setTemplate(undefined)}>
              {t('template.back')}
            </Button>
            <Button ref={sendButton} variant="primary" onClick={() => submit()}>
              {t('composer.send')}
            </Button>
          </>
        )
      }
    >
      {template ? (
        <div className="grid gap-5 sm:grid-cols-2">
          <form ref={form} onSubmit={submit} onKeyDown={onKeyDown} className="flex flex-col gap-3">
            {fields.map((field) => (
              <TextField
                key={field.id}
                label={labelOf(field)}
                value={values[field.id] ?? ''}
                error={isTried && missing.includes(field) ? t('template.missing') : undefined}
                onChange={(event) =>
                  setValues({ ...values, [field.id]: (event.target as HTMLInputElement).value })
                }
              />
            ))}
            <button type="submit" hidden />
          </form>
          <TemplatePreview template={template} values={values} />
        </div>
      ) : (
        <TemplateList
          onChoose={(chosen) => {
            setTemplate(chosen)
            setValues({})
            setTried(false)
          }}
        />
      )}
    </Dialog>
  )
}
