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
import { Group } from '../kit/group.tsx'
import { SelectField } from '../kit/select.tsx'
import { Checkbox } from '../kit/switch.tsx'
import { workspaceNow } from '../kit/time.tsx'
import { withConfirmation } from '../shell/confirm.ts'
import { type CreatedKey, type Key, keysQuery } from './queries.ts'
import { SCOPES, type Scope } from './scopes.ts'
import { t } from './texts.ts'

const ROLES = ['viewer', 'agent', 'admin'] as const
const ACCESS = ['all', 'some'] as const
const EXPIRY_DAYS = ['never', '30', '90', '365'] as const
const DAY_MS = 86_400_000
const FIELDS = ['label', 'role', 'scopes', 'allowIps'] as const

type Values = {
  label: string
  role: Key['role']
  access: (typeof ACCESS)[number]
  scopes: Scope[]
  expiry: (typeof EXPIRY_DAYS)[number]
  /** One address or range in each line. */
  allowIps: string
}
type Props = { open: boolean; onClose: () => void; onMade: (created: CreatedKey) => void }

/** Returns the key as the API takes it; fields without a limit are left out. */
function bodyOf({ label, role, access, scopes, expiry, allowIps }: Values) {
  const addresses = parseLines(allowIps)
  return {
    label,
    role,
    ...(access === 'some' && { scopes }),
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
  const { register, setError, setValue, watch, formState, reset, clearErrors } = form
  const { errors } = formState
  const [access, scopes] = watch(['access', 'scopes'])
  // The API would read no scopes as a key without any access.
  register('scopes', {
    validate: (chosen, { access: chosenAccess }) =>
      chosenAccess === 'all' || chosen.length > 0 || t('scopes.missing'),
  })
  const toggle = (scope: Scope, isOn: boolean) => {
    clearErrors('scopes')
    setValue('scopes', isOn ? [...scopes, scope] : scopes.filter((other) => other !== scope), {
      shouldDirty: true,
    })
  }
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
      <SelectField
        label={t('access')}
        value={access}
        onChange={(value) => setValue('access', value, { shouldDirty: true })}
        choices={ACCESS.map((value) => ({ value, label: t(`access.${value}`) }))}
      />
      {access === 'some' && (
        <Group label={t('scopes')} hint={t('scopes.hint')} error={errors.scopes?.message}>
          <div className="grid gap-x-4 sm:grid-cols-2">
            {SCOPES.map((scope) => (
              <Checkbox
                key={scope}
                label={<code className="font-mono text-sm">{scope}</code>}
                checked={scopes.includes(scope)}
                onChange={(isOn) => toggle(scope, isOn)}
              />
            ))}
          </div>
        </Group>
      )}
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
        <p className="text-sm text-ink-2">{t('new.curl')}</p>
        <CopyField text={curl} label={t('new.curl.copy')} />
      </div>
    </Dialog>
  )
}
