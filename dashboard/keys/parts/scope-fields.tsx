/** The fields that narrow a key: everything that its role allows, or only chosen scopes. */
import type { UseFormReturn } from 'react-hook-form'
import { classes } from '../../kit/classes.ts'
import { Group } from '../../kit/group.tsx'
import { SelectField } from '../../kit/select.tsx'
import { Checkbox } from '../../kit/switch.tsx'
import { t } from '../texts.ts'
import { SCOPES, type Scope } from './scopes.ts'

const ACCESS = ['all', 'some'] as const

export type ScopeValues = { access: (typeof ACCESS)[number]; scopes: Scope[] }

/** Returns the scopes as the API takes them; it has no limit without them. */
export const chosenScopes = ({ access, scopes }: ScopeValues): { scopes?: Scope[] } =>
  access === 'some' ? { scopes } : {}

type Props<Values extends ScopeValues> = {
  form: UseFormReturn<Values>
  /** The scopes to choose from; every scope without them. */
  choices?: readonly Scope[] | undefined
  /** The fields are in a narrow frame: the scopes are below each other. */
  isNarrow?: boolean
}

export function ScopeFields<Values extends ScopeValues>({ form, choices = SCOPES, isNarrow }: Props<Values>) {
  const { register, setValue, watch, formState, clearErrors } = form as unknown as UseFormReturn<ScopeValues>
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
    <>
      {choices === SCOPES && (
        <SelectField
          label={t('access')}
          value={access}
          onChange={(value) => setValue('access', value, { shouldDirty: true })}
          choices={ACCESS.map((value) => ({ value, label: t(`access.${value}`) }))}
        />
      )}
      {access === 'some' && (
        <Group label={t('scopes')} hint={t('scopes.hint')} error={formState.errors.scopes?.message}>
          <div className={classes('grid gap-x-4', !isNarrow && 'sm:grid-cols-2')}>
            {choices.map((scope) => (
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
    </>
  )
}
