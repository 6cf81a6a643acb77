import { useNavigate } from '@tanstack/react-router'
import { Ban, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Contact } from '../../../sdk/api.ts'
import { call } from '../../api/request.ts'
import { Button } from '../../kit/button.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { Panel } from '../../kit/facts.tsx'
import { notify } from '../../kit/toasts.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { eraseContact, storeContact } from '../queries.ts'
import { t } from '../texts.ts'
import { nameOf } from './person.tsx'

type Props = { contact: Contact; workspace: string }

/** Blocks a contact, or erases all data of a contact. */
export function DangerZone({ contact, workspace }: Props) {
  const [asking, setAsking] = useState<'block' | 'erase'>()
  const [isBusy, setBusy] = useState(false)
  const navigate = useNavigate()
  const name = nameOf(contact)
  const run = async (action: () => Promise<void>) => {
    setBusy(true)
    try {
      await action()
    } catch (error) {
      notifyError(error)
    }
    setBusy(false)
    setAsking(undefined)
  }
  const toggleBlock = () =>
    run(async () => {
      const response = await call(
        contact.blocked ? 'POST /contacts/{id}/unblock' : 'POST /contacts/{id}/block',
        {
          params: { id: contact.id },
        },
      )
      storeContact(response.contact)
      notify({ title: t(contact.blocked ? 'notice.unblocked' : 'notice.blocked'), kind: 'good' })
    })
  const erase = () =>
    run(async () => {
      // The page is left first, because its data is about to be deleted and must not be read again.
      await navigate({ to: `/w/${workspace}/contacts`, replace: true } as never)
      await eraseContact(contact.id)
      notify({ title: t('notice.erased'), kind: 'good' })
    })
  return (
    <Panel title={t('danger')}>
      <div className="flex flex-wrap gap-2">
        <Button
          icon={Ban}
          size="sm"
          busy={isBusy && asking === undefined}
          onClick={() => (contact.blocked ? void toggleBlock() : setAsking('block'))}
        >
          {t(contact.blocked ? 'action.unblock' : 'action.block')}
        </Button>
        <Button icon={Trash2} size="sm" onClick={() => setAsking('erase')}>
          {t('action.erase')}
        </Button>
      </div>
      <Confirm
        open={asking === 'block'}
        onClose={() => setAsking(undefined)}
        title={t('block.title', { name })}
        description={t('block.text')}
        action={t('action.block')}
        onConfirm={() => void toggleBlock()}
        busy={isBusy}
        danger
      />
      <Confirm
        open={asking === 'erase'}
        onClose={() => setAsking(undefined)}
        title={t('erase.title', { name })}
        description={t('erase.text')}
        action={t('action.erase')}
        onConfirm={() => void erase()}
        busy={isBusy}
        danger
      />
    </Panel>
  )
}
