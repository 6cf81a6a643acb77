/** Revises an issued document: the same number, the next version. */
import { useMutation } from '@tanstack/react-query'
import { Button } from '../../kit/button.tsx'
import { Callout } from '../../kit/callout.tsx'
import { notify } from '../../kit/toasts.tsx'
import { useCommands } from '../../shell/commands-store.ts'
import { DOCUMENT_COMMANDS } from '../commands.ts'
import { isInvoice, reviseDocument } from '../queries.ts'
import { t } from '../texts.ts'
import { DocumentFrame } from './document-frame.tsx'
import type { DocumentPageContext } from './document-page.tsx'
import { draftOf, revisionOf } from './draft.ts'
import { Editor, showRefused, useEditor } from './editor.tsx'
import { nameOf } from './status.tsx'

export function Revise({ document, noun, onBack }: DocumentPageContext) {
  const about = {
    kind: isInvoice(document) ? document.kind : ('quotation' as const),
    currency: document.currency,
    before: document,
  }
  const state = useEditor({ ...about, start: draftOf(document) })
  const { mutate, isPending } = useMutation({
    mutationFn: () => reviseDocument(noun, document.id, revisionOf(state.draft, about)),
    onSuccess: ({ version }) => {
      notify({
        title: version === document.version ? t('revised.same') : t('revised', { version }),
        kind: 'good',
      })
      onBack()
    },
    onError: (error) => showRefused(error, state.form),
  })
  const goBack = () => state.unsaved.leaveBy(onBack)
  useCommands(DOCUMENT_COMMANDS, { goBack, recordPayment: undefined, revise: undefined }, { title: t })
  const submit = () => void state.form.handleSubmit(() => mutate())()
  return (
    <DocumentFrame title={t('revise.title', { number: nameOf(document) })} onBack={goBack}>
      <div className="mb-6">
        <Callout>{t(isInvoice(document) ? 'revise.text' : 'revise.text.quotation')}</Callout>
      </div>
      <Editor
        state={state}
        isRevision
        mayDate={false}
        onSubmit={submit}
        actions={
          <>
            <Button variant="primary" busy={isPending} onClick={submit}>
              {t('revise.submit')}
            </Button>
            <Button variant="ghost" onClick={goBack}>
              {t('cancel')}
            </Button>
          </>
        }
      />
    </DocumentFrame>
  )
}
