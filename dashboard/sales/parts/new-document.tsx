/** Creates a document. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { Contact } from '../../../sdk/api.ts'
import { useAttempt } from '../../api/attempt.ts'
import { contactQuery } from '../../contacts/queries.ts'
import { Button } from '../../kit/button.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { notify } from '../../kit/toasts.tsx'
import { useCommands } from '../../shell/commands-store.ts'
import { DOCUMENT_COMMANDS } from '../commands.ts'
import { createDocument, type Noun, type SalesSettings, salesSettingsQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { DocumentFrame } from './document-frame.tsx'
import { customerFields, emptyDraft } from './draft.ts'
import { Editor, showRefused, useEditor } from './editor.tsx'
import { nameOf } from './status.tsx'
import { useMayBackdate } from './use-may-backdate.ts'

type Props = {
  kind: 'invoice' | 'proforma' | 'quotation'
  noun: Noun
  onDone: (id: string) => void
  onBack: () => void
}

export function NewDocument(props: Props) {
  const { data: settings, error, refetch } = useQuery(salesSettingsQuery)
  const { contact: contactId } = useSearch({ strict: false }) as { contact?: string }
  // A chat names its customer. Without that contact, the form starts empty.
  const { data: contact, isLoading } = useQuery({
    ...contactQuery(contactId ?? ''),
    enabled: contactId !== undefined,
  })
  useCommands(
    DOCUMENT_COMMANDS,
    { goBack: props.onBack, recordPayment: undefined, revise: undefined },
    { title: t },
  )
  return (
    <DocumentFrame title={t(`new.${props.kind}`)} onBack={props.onBack}>
      {error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : settings && !isLoading ? (
        <NewForm {...props} settings={settings} contact={contact} />
      ) : (
        <SkeletonRows />
      )}
    </DocumentFrame>
  )
}

type FormProps = Props & { settings: SalesSettings; contact: Contact | undefined }

function NewForm({ kind, onDone, onBack, settings, contact }: FormProps) {
  const start = { ...emptyDraft(settings.terms), ...(contact && customerFields(contact)) }
  const state = useEditor({ kind, currency: settings.currency, start })
  // If the request is sent again, the document is created only once.
  const attempt = useAttempt()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (issue: boolean) => {
      const body = { ...state.body, issue }
      return attempt(body, (idempotencyKey) => createDocument(kind, body, { idempotencyKey }))
    },
    onSuccess: (created) => {
      notify({
        title: created.number ? t('issued', { number: nameOf(created) }) : t('draft.saved'),
        kind: 'good',
      })
      state.unsaved.release()
      onDone(created.id)
    },
    onError: (error) => showRefused(error, state.form),
  })
  const submit = (issue: boolean) => state.form.handleSubmit(() => mutate(issue))()
  return (
    <Editor
      state={state}
      mayDate={useMayBackdate()}
      onSubmit={() => void submit(false)}
      actions={
        <>
          <Button variant="primary" busy={isPending && variables} onClick={() => void submit(true)}>
            {t('issue')}
          </Button>
          <Button busy={isPending && !variables} onClick={() => void submit(false)}>
            {t('draft.save')}
          </Button>
          <Button variant="ghost" onClick={onBack}>
            {t('cancel')}
          </Button>
        </>
      }
    />
  )
}
