/**
 * Edits the settings of the whole bot: its name, how it starts, and its reply when it does not understand.
 */
import { ValidityFields } from '../../auto-replies/parts/validity.tsx'
import { TextArea, TextField } from '../../kit/field.tsx'
import { Switch } from '../../kit/switch.tsx'
import { t } from '../texts.ts'
import { LinesField } from './fields.tsx'
import type { Draft } from './use-editor.ts'

type Props = {
  draft: Draft
  onChange: (patch: Partial<Draft>) => void
  faultAt: (path: string) => string | undefined
}

export function BotSettings({ draft, onChange, faultAt }: Props) {
  const { name, entry, idleMinutes, fallback } = draft
  return (
    <>
      <TextField
        label={t('settings.name')}
        value={name}
        onChange={(event) => onChange({ name: event.target.value })}
        error={faultAt('name')}
      />
      <LinesField
        label={t('settings.keywords')}
        hint={t('settings.keywords.hint')}
        lines={entry.keywords}
        onChange={(keywords) => onChange({ entry: { ...entry, keywords } })}
        error={faultAt('entry.keywords')}
      />
      <LinesField
        label={t('settings.patterns')}
        hint={t('settings.patterns.hint')}
        lines={entry.patterns}
        onChange={(patterns) => onChange({ entry: { ...entry, patterns } })}
        error={faultAt('entry.patterns')}
      />
      <Switch
        label={t('settings.newConversation')}
        checked={entry.newConversation}
        onChange={(newConversation) => onChange({ entry: { ...entry, newConversation } })}
      />
      <Switch
        label={t('settings.default')}
        checked={entry.default}
        onChange={(isDefault) => onChange({ entry: { ...entry, default: isDefault } })}
      />
      <ValidityFields
        value={entry}
        onChange={(validity) => onChange({ entry: { ...entry, ...validity } as Draft['entry'] })}
        errors={{ validFrom: faultAt('entry.validFrom'), validUntil: faultAt('entry.validUntil') }}
      />
      <TextArea
        label={t('settings.fallback')}
        value={fallback.text}
        onChange={(event) => onChange({ fallback: { ...fallback, text: event.target.value } })}
        error={faultAt('fallback.text')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t('settings.maxMisses')}
          type="number"
          value={fallback.maxMisses}
          onChange={(event) => onChange({ fallback: { ...fallback, maxMisses: Number(event.target.value) } })}
          error={faultAt('fallback.maxMisses')}
        />
        <TextField
          label={t('settings.idleMinutes')}
          type="number"
          value={idleMinutes}
          onChange={(event) => onChange({ idleMinutes: Number(event.target.value) })}
          error={faultAt('idleMinutes')}
        />
      </div>
    </>
  )
}
