/** Asks for the account of Chatwoot to import, and checks it. */
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { parseCount, showIssues } from '../../../api/form.ts'
import { numbersQuery } from '../../../inbox/queries.ts'
import { EntryDialog } from '../../../kit/entry-dialog.tsx'
import { TextField } from '../../../kit/field.tsx'
import { SelectField } from '../../../kit/select.tsx'
import { reportSaved } from '../../use-write.ts'
import { checkChatwoot } from './queries.ts'
import { t } from './texts.ts'

const FIELDS = ['url', 'accountId', 'token', 'phoneNumberId'] as const

export function ChatwootDialog({ onClose }: { onClose: () => void }) {
  const { data: numbers = [] } = useQuery(numbersQuery)
  const form = useForm({ defaultValues: { url: '', accountId: '', token: '', phoneNumberId: '' } })
  const { errors } = form.formState
  const phoneNumberId = form.watch('phoneNumberId') || numbers[0]?.id
  return (
    <EntryDialog
      form={form}
      title={t('source.chatwoot')}
      action={t('check')}
      save={({ url, accountId, token }) =>
        checkChatwoot({
          url,
          accountId: parseCount(accountId),
          token,
          ...(phoneNumberId !== undefined && { phoneNumberId }),
        })
      }
      onSaved={() => reportSaved(t('checked.toast'), [])}
      onError={(error) => showIssues(error, FIELDS, form.setError)}
      onClose={onClose}
    >
      <TextField
        label={t('url')}
        hint={t('url.hint')}
        type="url"
        autoFocus
        error={errors.url?.message}
        {...form.register('url')}
      />
      <TextField
        label={t('accountId')}
        hint={t('accountId.hint')}
        inputMode="numeric"
        error={errors.accountId?.message}
        {...form.register('accountId')}
      />
      <TextField
        label={t('token')}
        hint={t('token.hint')}
        type="password"
        autoComplete="off"
        error={errors.token?.message}
        {...form.register('token')}
      />
      {numbers.length > 1 && (
        <SelectField
          label={t('number')}
          hint={t('number.hint')}
          value={phoneNumberId ?? ''}
          error={errors.phoneNumberId?.message}
          onChange={(id) => form.setValue('phoneNumberId', id, { shouldDirty: true })}
          choices={numbers.map(({ id, number, displayName }) => ({
            value: id,
            label: displayName || number,
          }))}
        />
      )}
    </EntryDialog>
  )
}
