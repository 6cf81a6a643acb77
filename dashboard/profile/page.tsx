/** Shows the account: name, sign-in methods, sessions, and preferences. */
import { useParams } from '@tanstack/react-router'
import { useWorkspaceSession } from '../api/session.ts'
import { Callout } from '../kit/callout.tsx'
import { lazyComponent } from '../kit/lazy.tsx'
import { Page } from '../kit/page.tsx'
import { SkeletonRows } from '../kit/states.tsx'
import { Authenticator } from './parts/authenticator.tsx'
import { KeysSection } from './parts/keys.tsx'
import { Passkeys } from './parts/passkeys.tsx'
import { PersonForm } from './parts/person-form.tsx'
import { PreferencesSection } from './parts/preferences.tsx'
import { RecoveryCodes } from './parts/recovery-codes.tsx'
import { Sessions } from './parts/sessions.tsx'
import { WeeklyMail } from './parts/weekly-mail.tsx'
import { t } from './texts.ts'

const PasswordForm = lazyComponent(() =>
  import('./parts/password-form.tsx').then((module) => module.PasswordForm),
)

const PushSection = lazyComponent(() => import('./parts/push.tsx').then((module) => module.PushSection))

export default function ProfilePage() {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const { account, workspace: current, secondFactorRequired } = useWorkspaceSession(workspace)
  return (
    <Page title={t('title')} description={t('description')}>
      {secondFactorRequired && (
        <div className="mb-6">
          <Callout kind="warn">
            {t(account.hasTotp || account.passkeys.length > 0 ? 'factor.give' : 'factor.setUp')}
          </Callout>
        </div>
      )}
      <PersonForm account={account} />
      <PasswordForm account={account} />
      <Authenticator account={account} />
      <Passkeys account={account} />
      {(account.hasTotp || account.passkeys.length > 0) && <RecoveryCodes account={account} />}
      <Sessions />
      <PreferencesSection account={account} workspace={current} />
      <WeeklyMail />
      <PushSection around={<SkeletonRows rows={3} />} />
      <KeysSection />
    </Page>
  )
}
