import { Section } from '../../kit/page.tsx'
import { SelectField } from '../../kit/select.tsx'
import { Switch } from '../../kit/switch.tsx'
import { setPreferences, UNDO_SECONDS, type UndoSeconds, usePreferences } from '../../shell/preferences.ts'
import { t } from '../words.ts'

const THEMES = ['system', 'light', 'dark'] as const
const DENSITIES = ['comfortable', 'compact'] as const

/** How the pages look and listen, in this browser. */
export function PreferencesSection() {
  const { theme, density, letters, undoSeconds } = usePreferences()
  return (
    <Section title={t('preferences')} description={t('preferences.text')}>
      <div className="flex max-w-md flex-col gap-4">
        <SelectField
          label={t('theme')}
          value={theme}
          onChange={(value) => setPreferences({ theme: value })}
          choices={THEMES.map((value) => ({ value, label: t(`theme.${value}`) }))}
        />
        <SelectField
          label={t('rows')}
          value={density}
          onChange={(value) => setPreferences({ density: value })}
          choices={DENSITIES.map((value) => ({ value, label: t(`rows.${value}`) }))}
        />
        <SelectField
          label={t('undo')}
          hint={t('undo.text')}
          value={String(undoSeconds)}
          onChange={(value) => setPreferences({ undoSeconds: Number(value) as UndoSeconds })}
          choices={UNDO_SECONDS.map((seconds) => ({
            value: String(seconds),
            label: seconds === 0 ? t('undo.off') : t('undo.seconds', { count: seconds }),
          }))}
        />
        <Switch
          label={t('letters')}
          checked={letters}
          onChange={(value) => setPreferences({ letters: value })}
        />
      </div>
    </Section>
  )
}
