import { useForm } from 'react-hook-form'
import { siteBase } from '../api/address.ts'
import { queryClient } from '../api/cache.ts'
import { parseLines, showIssues } from '../api/form.ts'
import { callDashboard } from '../api/request.ts'
import { Button } from '../kit/button.tsx'
import { Callout } from '../kit/callout.tsx'
import { CopyField } from '../kit/copy.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { EntryDialog } from '../kit/entry-dialog.tsx'
import { TextArea, TextField } from '../kit/field.tsx'
import { SelectField } from '../kit/select.tsx'
import { workspaceNow } from '../kit/time.tsx'
import { withConfirmation } from '../shell/confirm.ts'
import { chosenScopes, ScopeFields, type ScopeValues } from './parts/scope-fields.tsx'
import { type CreatedKey, type Key, keysQuery } from './queries.ts'
import { t } from './texts.ts'

const ROLES = ['viewer', 'agent', 'admin'] as const
const EXPIRY_DAYS = ['never', '30', '90', '365'] as const
const DAY_MS = 86_400_000
const FIELDS = ['label', 'role', 'scopes', 'allowIps'] as const

type Values = ScopeValues & {
  label: string
  role: Key['role']
  expiry: (typeof EXPIRY_DAYS)[number]
  /** One address or range in each line. */
  allowIps: string
}
type Props = { open: boolean; onClose: () => void; onMade: (created: CreatedKey) => void }

/** Returns the key as the API takes it; fields without a limit are left out. */
function bodyOf({ label, role, expiry, allowIps, ...narrowed }: Values) {
  const addresses = parseLines(allowIps)
  return {
    label,
    role,
    ...chosenScopes(narrowed),
    ...(expiry !== 'never' && {
      expiresAt: new Date(workspaceNow() + Number(expiry) * DAY_MS).toISOString(),
    }),
    ...(addresses.length > 0 && { allowIps: addresses }),
  }
}

export function NewKeyDialog({ open, onClose, onMade }: Props) {
  const form = useForm<Values>({
    defaultValues: { role: 'agent', access: 'all', scopes: [], expiry: 'never', allowIps: '' },
  })
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
      title={t('new.title')}
      action={t('new.submit')}
      save={(values) => withConfirmation(() => callDashboard('POST /keys', { body: bodyOf(values) }))}
      onSaved={(created) => {
        void queryClient.invalidateQueries({ queryKey: keysQuery.queryKey })
        onMade(created)
      }}
      onError={(error) => showIssues(error, FIELDS, setError)}
    >
      <TextField
        label={t('label')}
        hint={t('label.hint')}
        autoFocus
        error={errors.label?.message}
        {...register('label')}
      />
      <SelectField
        label={t('role')}
        value={watch('role')}
        onChange={(role) => setValue('role', role)}
        choices={ROLES.map((value) => ({ value, label: t(`role.${value}`) }))}
      />
      <ScopeFields form={form} />
      <SelectField
        label={t('expiry')}
        value={watch('expiry')}
        onChange={(value) => setValue('expiry', value, { shouldDirty: true })}
        choices={EXPIRY_DAYS.map((value) => ({ value, label: t(`expiry.${value}`) }))}
      />
      <TextArea
        label={t('addresses')}
        hint={t('addresses.hint')}
        error={errors.allowIps?.message}
        {...register('allowIps')}
      />
    </EntryDialog>
  )
}

/** Shows the key, only once. */
export function CreatedKeyDialog({
  newKey,
  onClose,
}: {
  newKey: CreatedKey | undefined
  onClose: () => void
}) {
  const isForProvider = newKey?.key.role === 'admin' && newKey.key.scopes?.includes('team:write')
  const curl = `curl -s ${location.origin}${siteBase()}api/v1/me -H 'Authorization: Bearer ${newKey?.apiKey ?? ''}'`
  return (
    <Dialog
      open={newKey !== undefined}
      isShownOnce
      onClose={onClose}
      title={t('new.done', { name: newKey?.key.label ?? '' })}
      actions={
        <Button variant="primary" onClick={onClose}>
          {t('done')}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <Callout kind="warn">{t('new.once')}</Callout>
        <CopyField text={newKey?.apiKey ?? ''} label={t('new.copy')} />
        <p className="text-sm text-ink-2">{t(isForProvider ? 'new.scim' : 'new.curl')}</p>
        {isForProvider ? (
          <CopyField text={`${location.origin}${siteBase()}scim/v2`} label={t('new.scim.copy')} />
        ) : (
          <CopyField text={curl} label={t('new.curl.copy')} />
        )}
      </div>
    </Dialog>
  )
}
