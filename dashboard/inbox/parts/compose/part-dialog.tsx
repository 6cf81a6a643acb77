/** Builds a message from its parts, under a preview, and sends it. The typed parts are kept until then. */
import { type ReactNode, useRef, useState } from 'react'
import type { Message } from '../../../../sdk/api.ts'
import { readStored, writeStored } from '../../../api/storage.ts'
import { FormDialog } from '../../../kit/form-dialog.tsx'
import { newestMessageId } from '../../held-answer.ts'
import { type Sender, sendPart } from '../../send-part.ts'
import { t as inboxText } from '../../texts.ts'
import { Interactive } from '../kinds/interactive.tsx'
import { Location } from '../kinds/location.tsx'
import { LocationFields } from './location-fields.tsx'
import { emptyPart, type Part, type PartKind } from './part-shape.ts'
import { discardPart, storePart, useStoredParts } from './part-store.ts'
import { contentOfPart, type Faults, faultsIn, sendOfPart } from './parts.ts'
import { ProductFields } from './product-fields.tsx'
import { ButtonsFields, ListFields } from './replies-fields.tsx'
import { t } from './texts.ts'

/** The catalog that was used last in this browser; a business usually has one. */
const CATALOG = 'compose-catalog'

function startOf(kind: PartKind): Part {
  const values = emptyPart(kind)
  return {
    kind,
    values: kind === 'product' ? { ...values, catalogId: readStored(CATALOG) ?? '' } : values,
  } as Part
}

const textOf = ({ kind, values }: Part): string =>
  kind === 'location' ? values.name || values.address || inboxText('bubble.location') : values.text.trim()

/** Shows the message as the customer sees it. */
function Preview({ part }: { part: Part }) {
  const content = contentOfPart(part)
  const text = part.kind === 'location' ? null : part.values.text || null
  return (
    <section aria-label={inboxText('template.preview')} className="min-w-0 rounded-lg bg-surface-3 p-3">
      <div className="ms-auto w-fit max-w-full min-w-40 rounded-lg rounded-ee-sm bg-accent-soft px-3 py-2">
        {part.kind === 'location' ? (
          <Location content={content} />
        ) : (
          <Interactive message={{ content, text } as Message} />
        )}
      </div>
    </section>
  )
}

type Props = { kind: PartKind; open: boolean; onClose: () => void; onSent: () => void } & Sender

export function PartDialog({ kind, open, onClose, onSent, ...sender }: Props) {
  const { id } = sender.conversation
  const stored = useStoredParts(id)[kind]
  const part = stored ? ({ kind, values: stored } as Part) : startOf(kind)
  const [isTried, setTried] = useState(false)
  const since = useRef(newestMessageId(id))
  const form = useRef<HTMLDivElement>(null)
  const faults = faultsIn(part)
  const submit = () => {
    setTried(true)
    if (Object.keys(faults).length > 0) {
      requestAnimationFrame(() =>
        form.current?.querySelector<HTMLElement>('input[data-invalid], textarea[data-invalid]')?.focus(),
      )
      return
    }
    sendPart(sender, {
      content: sendOfPart(part),
      preview: textOf(part),
      restore: { part },
      since: since.current,
    })
    if (part.kind === 'product') writeStored(CATALOG, part.values.catalogId.trim())
    discardPart(id, kind)
    onSent()
    onClose()
  }
  const edit: Edit = (edited) => ({
    faults,
    isTried,
    onChange: (values) => storePart(id, { kind: edited, values } as Part),
  })
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={t(`part.${kind}`)}
      action={inboxText('composer.send')}
      onSubmit={submit}
      wide
    >
      <div ref={form} className="grid gap-5 sm:grid-cols-[minmax(0,1fr)_minmax(0,18rem)]">
        <div className="flex min-w-0 flex-col gap-3">{fieldsOf(part, edit)}</div>
        <Preview part={part} />
      </div>
    </FormDialog>
  )
}

type Edit = (kind: PartKind) => {
  faults: Faults
  isTried: boolean
  onChange: (values: unknown) => void
}

function fieldsOf(part: Part, edit: Edit): ReactNode {
  if (part.kind === 'buttons') return <ButtonsFields values={part.values} {...edit('buttons')} />
  if (part.kind === 'list') return <ListFields values={part.values} {...edit('list')} />
  if (part.kind === 'location') return <LocationFields values={part.values} {...edit('location')} />
  return <ProductFields values={part.values} {...edit('product')} />
}
