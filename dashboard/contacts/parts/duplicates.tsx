import { useNavigate } from '@tanstack/react-router'
import { Merge } from 'lucide-react'
import { useState } from 'react'
import type { Contact } from '../../../sdk/api.ts'
import { Button } from '../../kit/button.tsx'
import { Panel } from '../../kit/facts.tsx'
import { lazyPopup } from '../../kit/lazy.tsx'
import { notify } from '../../kit/toasts.tsx'
import { t } from '../texts.ts'
import { ContactFinder } from './contact-finder.tsx'

const MergeDialog = lazyPopup(() => import('./merge-dialog.tsx').then((module) => module.MergeDialog))

type Props = {
  contact: Contact
  workspace: string
  /** The member is choosing the other contact. */
  isMerging: boolean
  onMerging: (isMerging: boolean) => void
}

/** Merges this contact with another contact of the same customer. */
export function Duplicates({ contact, workspace, isMerging, onMerging }: Props) {
  const [other, setOther] = useState<Contact>()
  const navigate = useNavigate()
  const finish = async (merged: Contact) => {
    setOther(undefined)
    if (merged.id !== contact.id)
      await navigate({ to: `/w/${workspace}/contacts/${merged.id}`, replace: true } as never)
    notify({ title: t('notice.merged'), kind: 'good' })
  }
  return (
    <Panel title={t('merge')}>
      <p className="mb-2 text-ink-2">{t('merge.text')}</p>
      <Button icon={Merge} size="sm" onClick={() => onMerging(true)}>
        {t('action.merge')}
      </Button>
      <ContactFinder
        open={isMerging}
        onClose={() => onMerging(false)}
        title={t('merge.choose')}
        mayChoose={({ id, channel }) => id !== contact.id && channel === 'chat'}
        onChoose={(chosen) => {
          onMerging(false)
          setOther(chosen)
        }}
      />
      <MergeDialog
        open={other !== undefined}
        onClose={() => setOther(undefined)}
        contacts={other && [contact, other]}
        onMerged={(merged) => void finish(merged)}
      />
    </Panel>
  )
}
