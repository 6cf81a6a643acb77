import { useForm } from 'react-hook-form'
import { showIssues } from '../api/form.ts'
import { callDashboard } from '../api/request.ts'
import { Button } from '../kit/button.tsx'
import { CopyField } from '../kit/copy.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { EntryDialog } from '../kit/entry-dialog.tsx'
import { TextField } from '../kit/field.tsx'
import { SelectField } from '../kit/select.tsx'
import { withConfirmation } from '../shell/confirm.ts'
import { type Invitation, type Role, refreshMembers } from './queries.ts'
import { t } from './texts.ts'

const ROLES = ['viewer', 'agent', 'admin'] as const
type Values = { name: string; email: string; role: Role }

type Props = { open: boolean; onClose: () => void; onInvited: (invited: Invitation) => void }

export function InviteDialog({ open, onClose, onInvited }: Props) {
  const form = useForm<Values>({ defaultValues: { role: 'agent' } })
  const { register, setError, setValue, watch, formState, reset } = form
  const { errors } = formState
  return (
    <EntryDialog
      form={form}
      open={open}
      onClose={() => {
        onClose()
        reset()
      }}
      title={t('invite.title')}
      action={t('invite.submit')}
      save={(body) => withConfirmation(() => callDashboard('POST /members', { body }))}
      onSaved={(invited) => {
        void refreshMembers()
        onInvited(invited)
      }}
      onError={(error) => showIssues(error, ['name', 'email', 'role'], setError)}
    >
      <TextField label={t('name')} autoFocus error={errors.name?.message} {...register('name')} />
      <TextField label={t('email')} type="email" error={errors.email?.message} {...register('email')} />
      <SelectField
        label={t('role')}
        value={watch('role')}
        onChange={(role) => setValue('role', role)}
        choices={ROLES.map((value) => ({ value, label: t(`role.${value}`) }))}
      />
    </EntryDialog>
  )
}

/** Shows the link of an invitation, only once; it was also mailed if the installation sends mail. */
export function InvitedDialog({
  invited,
  onClose,
}: {
  invited: Invitation | undefined
  onClose: () => void
}) {
  const member = invited?.member
  return (
    <Dialog
      open={invited !== undefined}
      isShownOnce
      onClose={onClose}
      title={t('invite.made', { name: member?.name ?? '' })}
      actions={
        <Button variant="primary" onClick={onClose}>
          {t('done')}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="text-ink-2">
          {invited?.mailed
            ? t('invite.mailed', { email: member?.email ?? '' })
            : t('invite.link', { name: member?.name ?? '' })}
        </p>
        {invited?.inviteUrl && <CopyField text={invited.inviteUrl} label={t('invite.copy')} />}
      </div>
    </Dialog>
  )
}
