import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../../../src/core/values/languages.ts'
import { callDashboard } from '../../api/request.ts'
import type { WorkspaceSession } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Section } from '../../kit/page.tsx'
import { SelectField } from '../../kit/select.tsx'
import { Switch } from '../../kit/switch.tsx'
import { notify } from '../../kit/toasts.tsx'
import { mayNotify, playSound, showNotice } from '../../shell/announce.ts'
import { followLanguage } from '../../shell/language.ts'
import { notifyError } from '../../shell/notify-error.ts'
import { setPreferences, UNDO_SECONDS, type UndoSeconds, usePreferences } from '../../shell/preferences.ts'
import { refreshAccount } from '../queries.ts'
import { t } from '../texts.ts'

const THEMES = ['system', 'light', 'dark'] as const
const DENSITIES = ['comfortable', 'compact'] as const

/** Edits the look and the sounds of the pages, in this browser. */
export function PreferencesSection({ account, workspace }: Pick<WorkspaceSession, 'account' | 'workspace'>) {
  const { theme, density, letters, undoSeconds } = usePreferences()
  return (
    <Section title={t('preferences')} description={t('preferences.text')}>
      <div className="flex max-w-md flex-col gap-4">
        <LanguageField account={account} workspace={workspace} />
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
        <Announcements />
      </div>
    </Section>
  )
}

/** Chooses the language of the pages, in all browsers of the account. */
function LanguageField({ account, workspace }: Pick<WorkspaceSession, 'account' | 'workspace'>) {
  const choose = async (chosen: Language | '') => {
    try {
      await callDashboard('PATCH /account', { body: { language: chosen || null } })
      const session = { account: { ...account, language: chosen || null }, workspace }
      await refreshAccount()
      followLanguage(session)
    } catch (error) {
      notifyError(error)
    }
  }
  return (
    <SelectField
      label={t('language')}
      value={account.language ?? ''}
      onChange={(value) => void choose(value)}
      choices={[
        { value: '', label: t('language.workspace', { language: LANGUAGE_NAMES[workspace.language] }) },
        ...LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] })),
      ]}
    />
  )
}

/** Chooses how customers' messages are announced while the member is not looking. */
function Announcements() {
  const { sound, notices } = usePreferences()
  const setNotices = async (isOn: boolean) => {
    if (!isOn || (await mayNotify())) setPreferences({ notices: isOn })
    else notify({ title: t('notices.refused'), description: t('notices.refused.text'), kind: 'bad' })
  }
  const example = () => showNotice(t('notices.example'), { body: t('notices.example.text') })
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm text-ink-2">{t('announce.text')}</p>
      <div className="flex items-center gap-3">
        <div className="flex-1">
          <Switch label={t('sound')} checked={sound} onChange={(isOn) => setPreferences({ sound: isOn })} />
        </div>
        <Button size="sm" onClick={playSound}>
          {t('sound.try')}
        </Button>
      </div>
      <div className="flex items-center gap-3">
        <div className="flex-1">
          <Switch label={t('notices')} checked={notices} onChange={(isOn) => void setNotices(isOn)} />
        </div>
        <Button size="sm" disabled={!notices} onClick={example}>
          {t('notices.try')}
        </Button>
      </div>
    </div>
  )
}
