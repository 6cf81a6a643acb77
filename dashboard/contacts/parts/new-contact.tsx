import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import type { Contact } from '../../../sdk/api.ts'
import { createContactLimits } from '../../../sdk/limits.ts'
import { showIssues } from '../../api/form.ts'
import { EntryDialog } from '../../kit/entry-dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { notify } from '../../kit/toasts.tsx'
import { createContact } from '../queries.ts'
import { t } from '../texts.ts'

type Values = { phone: string; displayName: string; tags: string }
type Props = { open: boolean; onClose: () => void; onCreated: (contact: Contact) => void }

const tagsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
]

/** Creates a contact; a known number opens its contact. */
export function NewContact({ open, onClose, onCreated }: Props) {
  const form = useForm<Values>()
  const { register, formState, setError, reset } = form
  const { mutateAsync } = useMutation({
    mutationFn: ({ phone, displayName, tags }: Values) =>
      createContact({
        phone: phone.trim(),
        ...(displayName.trim() && { displayName: displayName.trim() }),
        ...(tags.trim() && { tags: tagsIn(tags) }),
      }),
  })
  const { errors } = formState
  return (
    <EntryDialog
      form={form}
      open={open}
      onClose={onClose}
      title={t('new.title')}
      action={t('new.action')}
      save={mutateAsync}
      onSaved={({ created, contact }) => {
        if (!created) notify({ title: t('new.known') })
        reset()
        onCreated(contact)
      }}
      onError={(error) => showIssues(error, ['phone', 'displayName', 'tags'], setError)}
    >
      <TextField
        label={t('field.phone')}
        hint={t('new.phone.hint')}
        type="tel"
        autoFocus
        error={errors.phone?.message}
        {...register('phone', { validate: (phone) => phone.trim() !== '' || t('new.phone.missing') })}
      />
      <TextField
        label={t('field.name')}
        maxLength={createContactLimits.displayName.maxLength}
        error={errors.displayName?.message}
        {...register('displayName')}
      />
      <TextField
        label={t('field.tags')}
        hint={t('new.tags.hint')}
        error={errors.tags?.message}
        {...register('tags')}
      />
    </EntryDialog>
  )
}
